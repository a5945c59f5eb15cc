"""make, or check, the golden files that the C++ tests compare with.

    /usr/bin/python3 tests/parity/make_goldens.py            # writes tests/parity/goldens
    /usr/bin/python3 tests/parity/make_goldens.py --check    # recomputes and compares, exit 1 if they differ

needs Debian's python3-torch. each case is two files: <case>.safetensors, the model, and
<case>.run.safetensors, its input x and output y, with present and dt where the case uses them.
"""

import argparse
import json
import math
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

import random_model
import reference_model
import safetensors_file

GOLDENS = Path(__file__).resolve().parent / "goldens"
TOLERANCE = 1e-6


@dataclass
class Case:
    config: dict
    steps: int
    drift: bool = False        # the input wanders around 1000
    gaps: bool = False         # a fifth of the input is missing
    irregular: bool = False    # dt in (0.1, 3)


def model(*blocks, inputs=3, outputs=2, width=16, **rest):
    return {"format": 1, "inputs": inputs, "outputs": outputs, "width": width, "blocks": list(blocks), **rest}


def block(kind, **rest):
    return {"block": kind, **rest}


def hidden(*sizes, activation):
    return {"hidden": list(sizes), "activation": activation}


S4D_ZOH = block("s4d", state=8)
S4D_BILINEAR = block("s4d", state=8, discretisation="bilinear")
MAMBA = block("mamba", state=16, conv=4, expand=2)
GRU = block("gru")
LSTM = block("lstm")
ATTENTION = block("attention", window=64)
GATED = block("mlp", hidden=40, activation="silu", gated=True)
SELECTIVE = block("selective")

CASES = {
    # one block of each kind, over a long run
    "s4d_zoh": Case(model(S4D_ZOH), 4096),
    "s4d_bilinear": Case(model(S4D_BILINEAR, norm="layer", head=hidden(20, activation="tanh")), 4096),
    "mamba": Case(model(MAMBA), 4096),
    "gru": Case(model(GRU, norm="none", head=hidden(20, 11, activation="silu")), 4096),
    "lstm": Case(model(LSTM, norm="layer", head=hidden(9, activation="gelu")), 4096),
    "attention": Case(model(ATTENTION), 4096),
    "attention_norotary_gqa": Case(model(block("attention", heads=4, kv_heads=2, window=33, rotary=False)), 4096),
    "mlp": Case(model(GATED, norm="none"), 4096),
    "mlp_plain": Case(model(block("mlp")), 4096),
    "selective": Case(model(SELECTIVE, head=hidden(20, activation="silu")), 4096),

    # what surrounds a block
    "gru_plain": Case(model(block("gru", hidden=24, norm="none", mix="linear", residual=False), norm="none"), 1024),
    "lstm_glu": Case(model(block("lstm", norm="layer", post="gelu", mix="glu")), 1024),
    "s4d_glu": Case(model(block("s4d", state=8, norm="layer", post="gelu", mix="glu"), norm="layer"), 1024),
    "odd": Case(
        model(
            block("mamba", state=5, conv=3, expand=1, dt_rank=3, post="tanh"),
            block("gru", hidden=7, post="silu", mix="linear"),
            inputs=1, outputs=1, width=13,
        ),
        512,
    ),

    # stacks
    "hybrid": Case(
        model(
            block("mamba", state=8),
            block("attention", heads=3, kv_heads=1, window=50),
            block("mlp", hidden=37, activation="tanh"),
            block("s4d", state=6, post="gelu", mix="linear"),
            block("gru", hidden=18, norm="layer", mix="glu"),
            width=24, head=hidden(20, activation="tanh"),
        ),
        2048,
    ),
    "transformer": Case(
        model(
            block("attention", heads=2, window=128, norm="layer"),
            block("mlp", hidden=56, activation="silu", gated=True, norm="layer"),
            block("attention", heads=4, kv_heads=2, window=17, rotary_base=500.0, norm="layer"),
            block("mlp", norm="layer"),
            norm="layer",
        ),
        2048,
    ),
    "wide": Case(model(block("mamba"), block("mamba"), width=64), 256),

    # the normaliser and missing channels
    "normaliser_hold": Case(
        model(GRU, missing="hold", normaliser={"kind": "running", "restore": [0, 2]}),
        1024, drift=True, gaps=True,
    ),
    "normaliser_zero_mask": Case(
        model(
            MAMBA, missing="zero", mask_input=True,
            normaliser={"kind": "running", "decay": 0.95, "epsilon": 1e-4, "restore": [-1, 1]},
        ),
        1024, drift=True, gaps=True,
    ),
    "missing_hold_mask": Case(model(GRU, mask_input=True), 256, gaps=True),

    # elapsed time that varies
    "dt_s4d_zoh": Case(model(S4D_ZOH), 512, irregular=True),
    "dt_s4d_bilinear": Case(model(S4D_BILINEAR), 512, irregular=True),
    "dt_mamba": Case(model(MAMBA), 512, irregular=True),
    "dt_gru": Case(model(GRU), 512, irregular=True),
    "dt_lstm": Case(model(LSTM), 512, irregular=True),
    "dt_attention": Case(model(ATTENTION), 512, irregular=True),
    "dt_selective": Case(model(SELECTIVE), 512, irregular=True),

    "learned_start": Case(
        model(S4D_ZOH, MAMBA, GRU, LSTM, S4D_BILINEAR, learned_start=True, head=hidden(20, 11, activation="gelu")), 256
    ),
    "selective_stack": Case(
        model(
            block("selective", hidden=23, norm="layer", post="tanh", mix="glu"),
            block("selective", norm="none", residual=False),
            block("selective", hidden=9, mix="linear"),
            learned_start=True,
        ),
        256, irregular=True,
    ),
}


def make(name, case):
    """the two files of a case, as name -> tensors; the same ones every time."""
    torch.manual_seed(zlib.crc32(name.encode()))
    weights = random_model.tensors(case.config)
    run = {"x": signal(case)}
    if case.gaps:
        run["present"] = remove_some(run["x"])
    if case.irregular:
        run["dt"] = random_model.uniform((case.steps,), 0.1, 3.0).numpy()
    run["y"] = reference_model.forward(case.config, weights, **run).float().numpy()
    return {name: weights, name + ".run": run}


def signal(case):
    """a slow wave and noise in each channel; with drift, a random walk around 1000 too."""
    T, inputs = case.steps, case.config["inputs"]
    time = torch.arange(T)[:, None]
    period = torch.exp(random_model.uniform((inputs,), math.log(20), math.log(400)))
    x = torch.sin(2 * math.pi * (time / period + torch.rand(inputs))) + 0.5 * torch.randn(T, inputs)
    if case.drift:
        x += 1000 + torch.cumsum(torch.randn(T, inputs), 0)
    return x.numpy()


def remove_some(x):
    """present (T, inputs); also puts NaN into half of the missing entries of x, some of them marked present."""
    missing = torch.rand(x.shape) < 0.2
    missing[:5, 1] = True    # not there from the start
    nan = (torch.rand(x.shape) < 0.5) & missing
    present = ~missing | (nan & (torch.rand(x.shape) < 0.5))
    x[nan.numpy()] = np.nan
    x[9, 0], present[9, 0] = np.inf, True    # infinite is missing too
    return present.numpy().astype(np.uint8)


def deviation(found, expected):
    """the largest difference between two sets of tensors, relative to the size of each; NaN equals NaN, inf inf."""
    if {name: v.shape for name, v in found.items()} != {name: v.shape for name, v in expected.items()}:
        return math.inf
    worst = 0.0
    for name, value in expected.items():
        a, b = found[name].astype(float), value.astype(float)
        finite = np.isfinite(b)
        if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
            return math.inf
        worst = max(worst, np.abs(a[finite] - b[finite]).max() / np.abs(b[finite]).max())
    return worst


def check(path, tensors, config):
    """compares a file with what it should hold; returns whether it does."""
    if not path.exists():
        print(f"{path.name}: missing")
        return False
    found, metadata = safetensors_file.read(path)
    worst = deviation(found, tensors) if metadata == config else math.inf
    print(f"{path.name}: {worst:.1e}")
    return worst <= TOLERANCE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=GOLDENS, metavar="DIR", help="the folder of the golden files")
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    options = parser.parse_args()

    torch.set_num_threads(1)
    if not options.check:
        options.out.mkdir(parents=True, exist_ok=True)
    good = True
    for name, case in CASES.items():
        for stem, tensors in make(name, case).items():
            path = options.out / (stem + ".safetensors")
            metadata = {"elastane": json.dumps(case.config)} if stem == name else {}
            if options.check:
                good &= check(path, tensors, metadata)
            else:
                safetensors_file.write(path, tensors, metadata)
                print(f"{path.name}: {path.stat().st_size} bytes")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
