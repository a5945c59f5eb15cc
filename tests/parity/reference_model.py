"""the mathematics of docs/model_format.md over a whole sequence, in float64.

written the way such models are trained, not the way they are streamed: s4d is a convolution, attention
a masked T x T softmax, gru and lstm are torch's own. only what has no such form is a loop over time.
"""

import math

import torch
import torch.nn.functional as F

ACTIVATIONS = {"none": lambda v: v, "tanh": torch.tanh, "silu": F.silu, "gelu": F.gelu}
NORM_EPSILON = 1e-5


def forward(config, tensors, x, present=None, dt=None):
    """y (T, outputs) of the input x (T, inputs); present (T, inputs) and dt (T) are optional."""
    w = {name: torch.tensor(value).double() for name, value in tensors.items()}
    x = torch.tensor(x).double()
    dt = None if dt is None else torch.tensor(dt).double()

    # a channel is missing if it is said to be, or if its value is not finite
    mask = torch.isfinite(x)
    if present is not None:
        mask &= torch.tensor(present).bool()

    seen, level, scale = normalise(config, x, mask)
    if config.get("mask_input", False):
        seen = torch.cat([seen, mask.double()], dim=1)
    h = F.linear(seen, w["encoder.weight"], w["encoder.bias"])

    for i, block in enumerate(config["blocks"]):
        h = residual_block(block, scope(w, f"blocks.{i}."), h, dt)

    y = head(config, w, norm(config.get("norm", "rms"), scope(w, "norm."), h))

    # put outputs back on the level and scale of their input
    for j, c in enumerate(config.get("normaliser", {}).get("restore", [])):
        if c >= 0:
            y[:, j] = level[:, c] + scale[:, c] * y[:, j]
    return y


def scope(w, prefix):
    """the tensors below a prefix, without it."""
    return {name[len(prefix) :]: value for name, value in w.items() if name.startswith(prefix)}


def normalise(config, x, mask):
    """what the encoder sees, and the running level and scale, each (T, inputs)."""
    options = config.get("normaliser", {})
    running = options.get("kind", "none") == "running"
    decay, epsilon = options.get("decay", 0.99), options.get("epsilon", 1e-8)
    hold = config.get("missing", "hold") == "hold"

    seen, levels, scales = torch.zeros_like(x), torch.zeros_like(x), torch.zeros_like(x)
    for c in range(x.shape[1]):
        count, level, variance, last = 0, 0.0, 0.0, 0.0
        for t in range(x.shape[0]):
            here = bool(mask[t, c])
            if here:
                last = float(x[t, c])
                a = max(1 - decay, 1 / (count + 1))
                delta = last - level
                level += a * delta
                variance = (1 - a) * (variance + a * delta**2)
                count += 1
            scale = math.sqrt(variance + epsilon)
            if count > 0 and (here or hold):
                seen[t, c] = (last - level) / scale if running else last
            levels[t, c], scales[t, c] = level, scale
    return seen, levels, scales


def norm(kind, w, u):
    if kind == "rms":
        return w["weight"] * u / torch.sqrt(u.square().mean(-1, keepdim=True) + NORM_EPSILON)
    if kind == "layer":
        return F.layer_norm(u, u.shape[-1:], w["weight"], w["bias"], NORM_EPSILON)
    return u


def residual_block(block, w, h, dt):
    kind = block["block"]
    u = norm(block.get("norm", "rms"), scope(w, "norm."), h)
    o = BLOCKS[kind](block, scope(w, kind + "."), u, dt)
    o = ACTIVATIONS[block.get("post", "none")](o)

    mix = block.get("mix", "none")
    if mix != "none":
        o = F.linear(o, w["mix.weight"], w["mix.bias"])
    if mix == "glu":
        o = F.glu(o, dim=-1)
    return h + o if block.get("residual", True) else o


def head(config, w, u):
    options = config.get("head", {})
    activation = ACTIVATIONS[options.get("activation", "tanh")]
    layers = len(options.get("hidden", [])) + 1
    for k in range(layers):
        u = F.linear(u, w[f"head.{k}.weight"], w[f"head.{k}.bias"])
        if k + 1 < layers:
            u = activation(u)
    return u


def s4d(block, w, u, dt):
    A = torch.complex(-torch.exp(w["log_A_real"]), w["A_imag"])
    C = torch.view_as_complex(w["C"])
    s = torch.view_as_complex(w["h0"]) if "h0" in w else torch.zeros_like(A)
    step = torch.exp(w["log_dt"])[:, None]
    discretise = bilinear if block.get("discretisation", "zoh") == "bilinear" else zoh

    # irregular steps have no kernel
    if dt is not None:
        o = torch.empty_like(u)
        for t in range(len(u)):
            A_bar, B_bar = discretise(A, dt[t] * step)
            s = A_bar * s + B_bar * u[t, :, None]
            o[t] = 2 * (C * s).sum(-1).real
        return o + w["D"] * u

    # o = K * u + the start's decay, K_t = 2 Re sum_n C_n A_bar_n^t B_bar_n
    T = len(u)
    A_bar, B_bar = discretise(A, step)
    powers = torch.exp(torch.arange(T + 1) * torch.log(A_bar)[..., None])
    K = 2 * torch.einsum("wn,wnt->tw", C * B_bar, powers[..., :T]).real
    start = 2 * torch.einsum("wn,wnt->tw", C * s, powers[..., 1:]).real
    spectrum = torch.fft.rfft(K, n=2 * T, dim=0) * torch.fft.rfft(u, n=2 * T, dim=0)
    return torch.fft.irfft(spectrum, n=2 * T, dim=0)[:T] + start + w["D"] * u


def zoh(A, step):
    A_bar = torch.exp(step * A)
    return A_bar, (A_bar - 1) / A


def bilinear(A, step):
    return (1 + step * A / 2) / (1 - step * A / 2), step / (1 - step * A / 2)


def mamba(block, w, u, dt):
    T = len(u)
    inner, N = w["A_log"].shape
    R = w["dt_proj.weight"].shape[1]
    conv = w["conv1d.weight"].shape[-1]

    x, z = F.linear(u, w["in_proj.weight"]).split(inner, dim=-1)
    x = F.conv1d(x.T[None], w["conv1d.weight"], w["conv1d.bias"], padding=conv - 1, groups=inner)
    x = F.silu(x[0, :, :T].T)

    low, B, C = F.linear(x, w["x_proj.weight"]).split([R, N, N], dim=-1)
    step = F.softplus(F.linear(low, w["dt_proj.weight"], w["dt_proj.bias"]))
    if dt is not None:
        step = dt[:, None] * step

    # the selective scan, all its factors computed beforehand
    decay = torch.exp(step[..., None] * -torch.exp(w["A_log"]))    # (T, inner, N)
    drive = (step * x)[..., None] * B[:, None, :]
    s = w.get("h0", torch.zeros_like(w["A_log"]))
    o = torch.empty_like(x)
    for t in range(T):
        s = decay[t] * s + drive[t]
        o[t] = s @ C[t]
    return F.linear((o + w["D"] * x) * F.silu(z), w["out_proj.weight"])


def gru(block, w, u, dt):
    H = w["weight_hh_l0"].shape[1]
    h = w.pop("h0", torch.zeros(H).double())
    if dt is None:
        return torch_recurrent(torch.nn.GRU, w, u, h[None])

    o = torch.empty(len(u), H).double()
    for t in range(len(u)):
        from_u = F.linear(u[t], w["weight_ih_l0"], w["bias_ih_l0"]).split(H)
        from_h = F.linear(h, w["weight_hh_l0"], w["bias_hh_l0"]).split(H)
        r = torch.sigmoid(from_u[0] + from_h[0])
        z = torch.sigmoid(from_u[1] + from_h[1])
        n = torch.tanh(from_u[2] + r * from_h[2])
        keep = z ** dt[t]
        h = (1 - keep) * n + keep * h
        o[t] = h
    return o


def lstm(block, w, u, dt):
    H = w["weight_hh_l0"].shape[1]
    h = w.pop("h0", torch.zeros(H).double())
    c = w.pop("c0", torch.zeros(H).double())
    if dt is None:
        return torch_recurrent(torch.nn.LSTM, w, u, (h[None], c[None]))

    out = torch.empty(len(u), H).double()
    for t in range(len(u)):
        gates = F.linear(u[t], w["weight_ih_l0"], w["bias_ih_l0"]) + F.linear(h, w["weight_hh_l0"], w["bias_hh_l0"])
        i, f, g, o = gates.split(H)
        i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
        keep = f ** dt[t]
        c = keep * c + (1 - keep) / (1 - f) * i * g
        h = o * torch.tanh(c)
        out[t] = h
    return out


def torch_recurrent(kind, w, u, start):
    layer = kind(w["weight_ih_l0"].shape[1], w["weight_hh_l0"].shape[1]).double()
    layer.load_state_dict(w)
    with torch.no_grad():
        return layer(u, start)[0]


def attention(block, w, u, dt):
    T, width = u.shape
    heads = block.get("heads", 4)
    kv_heads = block.get("kv_heads", heads)
    size = width // heads

    q = F.linear(u, w["q_proj.weight"]).view(T, heads, size)
    k = F.linear(u, w["k_proj.weight"]).view(T, kv_heads, size)
    v = F.linear(u, w["v_proj.weight"]).view(T, kv_heads, size)
    if block.get("rotary", True):
        # time = sum of all dt up to the step
        dt = torch.ones(T).double() if dt is None else dt
        time = torch.cumsum(dt, 0)
        q, k = (turn(p, time, block.get("rotary_base", 10000.0)) for p in (q, k))

    # row t sees columns t - window + 1 .. t
    lag = torch.arange(T)[:, None] - torch.arange(T)[None, :]
    hidden = (lag < 0) | (lag >= block.get("window", 128))
    o = torch.empty(T, heads, size).double()
    for head in range(heads):
        shared = head // (heads // kv_heads)
        scores = (q[:, head] @ k[:, shared].T / math.sqrt(size)).masked_fill_(hidden, -math.inf)
        o[:, head] = torch.softmax(scores, dim=-1) @ v[:, shared]
    return F.linear(o.reshape(T, width), w["o_proj.weight"])


def turn(p, time, base):
    """pairs (i, i + size/2) of p (T, heads, size) as complex numbers, times e^(i angle)."""
    half = p.shape[-1] // 2
    angle = time[:, None] * base ** (-torch.arange(half).double() / half)
    turned = torch.complex(p[..., :half], p[..., half:]) * torch.polar(torch.ones_like(angle), angle)[:, None]
    return torch.cat([turned.real, turned.imag], dim=-1)


def mlp(block, w, u, dt):
    activation = ACTIVATIONS[block.get("activation", "gelu")]
    up = F.linear(u, w["up.weight"], w["up.bias"])
    if block.get("gated", False):
        inner = activation(F.linear(u, w["gate.weight"], w["gate.bias"])) * up
    else:
        inner = activation(up)
    return F.linear(inner, w["down.weight"], w["down.bias"])


def selective(block, w, u, dt):
    step = F.softplus(F.linear(u, w["delta.weight"], w["delta.bias"]))
    if dt is not None:
        step = dt[:, None] * step
    keep = torch.exp(-step * torch.exp(w["log_a"]))
    drive = (1 - keep) * F.linear(u, w["input.weight"], w["input.bias"])

    z = w.get("h0", torch.zeros_like(w["log_a"]))
    o = torch.empty_like(drive)
    for t in range(len(u)):
        z = keep[t] * z + drive[t]
        o[t] = z
    return o


BLOCKS = {
    "s4d": s4d,
    "mamba": mamba,
    "gru": gru,
    "lstm": lstm,
    "attention": attention,
    "mlp": mlp,
    "selective": selective,
}
