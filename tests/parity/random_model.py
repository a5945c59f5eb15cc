"""random tensors for a config, shaped and named as docs/model_format.md says (float32)."""

import math

import torch


def tensors(config):
    """name -> array, from torch's global generator."""
    width, outputs = config["width"], config["outputs"]
    seen = config["inputs"] * (2 if config.get("mask_input", False) else 1)
    start = config.get("learned_start", False)

    w = linear("encoder.", width, seen)
    for i, block in enumerate(config["blocks"]):
        kind = block["block"]
        w.update(norm(block.get("norm", "rms"), f"blocks.{i}.norm.", width))
        w.update({f"blocks.{i}.{kind}.{name}": value for name, value in BLOCKS[kind](block, width, start).items()})
        w.update(mix(block, f"blocks.{i}.mix.", width))
    w.update(norm(config.get("norm", "rms"), "norm.", width))

    sizes = [width, *config.get("head", {}).get("hidden", []), outputs]
    for k, (before, after) in enumerate(zip(sizes, sizes[1:])):
        w.update(linear(f"head.{k}.", after, before))
    return {name: value.float().contiguous().numpy() for name, value in w.items()}


def uniform(shape, low, high):
    return low + (high - low) * torch.rand(shape)


def matrix(rows, columns, gain=1.0):
    bound = gain / math.sqrt(columns)
    return uniform((rows, columns), -bound, bound)


def linear(prefix, rows, columns):
    bound = 1 / math.sqrt(columns)
    return {prefix + "weight": matrix(rows, columns), prefix + "bias": uniform((rows,), -bound, bound)}


def norm(kind, prefix, width):
    if kind == "none":
        return {}
    w = {prefix + "weight": 1 + 0.2 * torch.randn(width)}
    if kind == "layer":
        w[prefix + "bias"] = 0.2 * torch.randn(width)
    return w


def mix(block, prefix, width):
    rows = {"none": 0, "linear": width, "glu": 2 * width}[block.get("mix", "none")]
    size = block.get("hidden", width) if block["block"] in ("gru", "lstm", "selective") else width
    return linear(prefix, rows, size) if rows else {}


def s4d(block, width, start):
    pairs = block.get("state", 16) // 2
    w = {
        "log_dt": uniform((width,), math.log(0.001), math.log(0.1)),
        "log_A_real": math.log(0.5) + 0.1 * torch.randn(width, pairs),                    # S4D-Lin: A = -1/2 + i pi n
        "A_imag": math.pi * torch.arange(pairs) + 0.1 * torch.randn(width, pairs),
        "C": math.sqrt(0.5) * torch.randn(width, pairs, 2),
        "D": torch.randn(width),
    }
    return {**w, "h0": 0.3 * torch.randn(width, pairs, 2)} if start else w


def mamba(block, width, start):
    N, conv = block.get("state", 16), block.get("conv", 4)
    inner, R = block.get("expand", 2) * width, block.get("dt_rank", math.ceil(width / 16))
    step = torch.exp(uniform((inner,), math.log(0.001), math.log(0.1)))
    w = {
        "in_proj.weight": matrix(2 * inner, width),
        "conv1d.weight": matrix(inner, conv)[:, None],
        "conv1d.bias": uniform((inner,), -0.5, 0.5),
        "x_proj.weight": matrix(R + 2 * N, inner, gain=4),    # else D x drowns the scan
        "dt_proj.weight": matrix(inner, R),
        "dt_proj.bias": torch.log(torch.expm1(step)),                                     # softplus(bias) = step
        "A_log": torch.log(torch.arange(1, N + 1)) + 0.1 * torch.randn(inner, N),
        "D": 1 + 0.2 * torch.randn(inner),
        "out_proj.weight": matrix(width, inner),
    }
    return {**w, "h0": 0.5 * torch.randn(inner, N)} if start else w


def recurrent(gates, states):
    def make(block, width, start):
        H = block.get("hidden", width)
        bound = 1 / math.sqrt(H)
        w = {
            "weight_ih_l0": uniform((gates * H, width), -bound, bound),
            "weight_hh_l0": uniform((gates * H, H), -bound, bound),
            "bias_ih_l0": uniform((gates * H,), -bound, bound),
            "bias_hh_l0": uniform((gates * H,), -bound, bound),
        }
        return {**w, **{name: uniform((H,), -0.8, 0.8) for name in states}} if start else w

    return make


def attention(block, width, start):
    heads = block.get("heads", 4)
    shared = block.get("kv_heads", heads) * width // heads
    return {
        "q_proj.weight": matrix(width, width, gain=3),    # peaked scores: an almost flat softmax would hide errors
        "k_proj.weight": matrix(shared, width, gain=3),
        "v_proj.weight": matrix(shared, width),
        "o_proj.weight": matrix(width, width),
    }


def mlp(block, width, start):
    hidden = block.get("hidden", 4 * width)
    w = {**linear("up.", hidden, width), **linear("down.", width, hidden)}
    return {**w, **linear("gate.", hidden, width)} if block.get("gated", False) else w


def selective(block, width, start):
    H = block.get("hidden", width)
    rate = torch.exp(uniform((H,), -math.log(256), -math.log(4)))
    w = {
        "delta.weight": matrix(H, width),
        "delta.bias": torch.log(torch.expm1(rate)),                                       # softplus(bias) = rate
        "input.weight": matrix(H, width, gain=4),    # else what passes beside z drowns it
        "input.bias": uniform((H,), -0.5, 0.5),
        "log_a": 0.3 * torch.randn(H),
    }
    return {**w, "h0": torch.randn(H)} if start else w


BLOCKS = {
    "s4d": s4d,
    "mamba": mamba,
    "gru": recurrent(3, ["h0"]),
    "lstm": recurrent(4, ["h0", "c0"]),
    "attention": attention,
    "mlp": mlp,
    "selective": selective,
}
