"""train models/lorenz.safetensors: the Lorenz-63 state 0.1 s ahead, from noisy observations.

    /usr/bin/python3 models/train_lorenz.py

needs Debian's python3-torch; one thread, a few minutes. the mathematics is that of docs/model_format.md.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "parity"))
import reference_model
import safetensors_file

CONFIG = {
    "format": 1,
    "inputs": 3, "outputs": 3, "width": 32,
    "normaliser": {"kind": "none"},
    "blocks": [{"block": "mamba", "state": 8, "conv": 4, "expand": 2, "dt_rank": 2, "norm": "rms"}] * 2,
    "norm": "rms",
    "head": {"hidden": []},
}
SEED, HELD_OUT_SEED = 7, 1007
DT, NOISE, AHEAD = 0.02, 0.05, 5    # seconds a step; sd of the noise; steps
LENGTH, WARM_UP, BATCH = 128, 16, 64


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, u):
        return self.weight * u * torch.rsqrt(u.square().mean(-1, keepdim=True) + 1e-5)


class Mamba(nn.Module):
    def __init__(self, width, state, conv, expand, dt_rank):
        super().__init__()
        inner = expand * width
        self.sizes = [dt_rank, state, state]
        self.in_proj = nn.Linear(width, 2 * inner, bias=False)
        self.conv1d = nn.Conv1d(inner, inner, conv, padding=conv - 1, groups=inner)
        self.x_proj = nn.Linear(inner, sum(self.sizes), bias=False)
        self.dt_proj = nn.Linear(dt_rank, inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1.0, state + 1)).repeat(inner, 1))
        self.D = nn.Parameter(torch.ones(inner))
        self.out_proj = nn.Linear(inner, width, bias=False)

        # softplus(bias) is log-uniform in 0.001 .. 0.1
        step = torch.exp(torch.empty(inner).uniform_(math.log(0.001), math.log(0.1)))
        self.dt_proj.bias.data = torch.log(torch.expm1(step))

    def forward(self, u):
        x, z = self.in_proj(u).chunk(2, dim=-1)
        x = F.silu(self.conv1d(x.mT)[..., : u.shape[1]].mT)
        low, B, C = self.x_proj(x).split(self.sizes, dim=-1)
        step = F.softplus(self.dt_proj(low))

        decay = torch.exp(step[..., None] * -torch.exp(self.A_log))    # (batch, T, inner, state)
        drive = (step * x)[..., None] * B[:, :, None]
        s = torch.zeros_like(drive[:, 0])
        states = []
        for a, b in zip(decay.unbind(1), drive.unbind(1)):
            s = torch.addcmul(b, a, s)
            states.append(s)
        o = torch.einsum("btin,btn->bti", torch.stack(states, 1), C)
        return self.out_proj((o + self.D * x) * F.silu(z))


class Block(nn.Module):
    def __init__(self, width, state, conv, expand, dt_rank, **_):
        super().__init__()
        self.norm = RmsNorm(width)
        self.mamba = Mamba(width, state, conv, expand, dt_rank)

    def forward(self, h):
        return h + self.mamba(self.norm(h))


class Model(nn.Module):
    """its state_dict has the names of the model file."""

    def __init__(self, config):
        super().__init__()
        width = config["width"]
        self.encoder = nn.Linear(config["inputs"], width)
        self.blocks = nn.ModuleList(Block(width, **block) for block in config["blocks"])
        self.norm = RmsNorm(width)
        self.head = nn.ModuleList([nn.Linear(width, config["outputs"])])

    def forward(self, x):
        h = self.encoder(x)
        for block in self.blocks:
            h = block(h)
        return self.head[0](self.norm(h))


def lorenz(state):
    x, y, z = state[..., 0], state[..., 1], state[..., 2]
    return np.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], axis=-1)


def trajectories(rng, count, steps):
    """clean states (count, steps, 3) on the attractor: (x/10, y/10, (z - 25)/10)."""
    state = rng.normal(size=(count, 3)) * 8 + [0, 0, 25]
    settle = 1000
    path = np.empty((count, steps, 3))
    for t in range(-settle, steps):
        k1 = lorenz(state)
        k2 = lorenz(state + DT / 2 * k1)
        k3 = lorenz(state + DT / 2 * k2)
        k4 = lorenz(state + DT * k3)
        state = state + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if t >= 0:
            path[:, t] = state
    return torch.tensor((path - [0, 0, 25]) / 10).float()


def observe(clean, generator):
    """noisy input and the clean target AHEAD steps later."""
    noise = NOISE * torch.randn(clean.shape, generator=generator)
    return (clean + noise)[:, :-AHEAD], clean[:, AHEAD:]


def train(model, steps, rate):
    """random windows of long trajectories; adam, a warm-up, then a cosine to zero."""
    paths = trajectories(np.random.default_rng(SEED), 256, 4000)
    generator = torch.Generator().manual_seed(SEED)
    adam = torch.optim.Adam(model.parameters(), lr=rate)
    schedule = lambda k: min((k + 1) / 50, 0.5 * (1 + math.cos(math.pi * k / steps)))
    scheduler = torch.optim.lr_scheduler.LambdaLR(adam, schedule)
    offsets = torch.arange(LENGTH + AHEAD)

    begin = time.time()
    for k in range(steps):
        rows = torch.randint(paths.shape[0], (BATCH, 1), generator=generator)
        starts = torch.randint(paths.shape[1] - LENGTH - AHEAD, (BATCH, 1), generator=generator)
        x, target = observe(paths[rows, starts + offsets], generator)
        loss = F.mse_loss(model(x)[:, WARM_UP:], target[:, WARM_UP:])
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        scheduler.step()
        if (k + 1) % 100 == 0:
            print(f"step {k + 1}: loss {loss.item():.5f}, {time.time() - begin:.0f} s", flush=True)


@torch.no_grad()
def evaluate(model, count, steps):
    """held-out MSE of the model and of persistence (repeating the last noisy observation)."""
    clean = trajectories(np.random.default_rng(HELD_OUT_SEED), count, steps + AHEAD)
    x, target = observe(clean, torch.Generator().manual_seed(HELD_OUT_SEED))
    y = model(x)
    return [F.mse_loss(v[:, WARM_UP:], target[:, WARM_UP:]).item() for v in (y, x)]


def save(model, path):
    """writes the model, and checks that the file says what was trained."""
    tensors = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    safetensors_file.write(path, tensors, {"elastane": json.dumps(CONFIG)})

    stored, metadata = safetensors_file.read(path)
    x = torch.randn(300, 3)
    y = reference_model.forward(json.loads(metadata["elastane"]), stored, x.numpy())
    with torch.no_grad():
        difference = (model(x[None])[0] - y).abs().max().item()
    print(f"{path}: {path.stat().st_size} bytes, differs from the reference by {difference:.1e}")
    assert difference < 1e-4


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "models" / "lorenz.safetensors", help="the model file")
    parser.add_argument("--steps", type=int, default=1200, help="optimiser steps")
    parser.add_argument("--rate", type=float, default=5e-3, help="learning rate")
    options = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    model = Model(CONFIG)
    train(model, options.steps, options.rate)
    for count, steps in ((512, LENGTH), (16, 4000)):
        learned, persistence = evaluate(model, count, steps)
        print(f"held out, {count} runs of {steps} steps: mse {learned:.5f}, persistence {persistence:.5f}")
    save(model, options.out)


if __name__ == "__main__":
    main()
