"""make the files of PyTorch's models that tests/parity/imports_test.cpp imports, with inputs and outputs of 200 steps.

    /usr/bin/python3 tests/parity/make_imports.py            # writes tests/parity/imports

needs Debian's python3-torch. each case is <case>.safetensors or <case>.onnx, as PyTorch saves it, and
<case>.run.safetensors, its input x and output y. whole sequences are computed at once, as in training: attention over
the whole past, s4d by its convolution kernel, so that nothing is shared with the engine's recurrences.
"""

import math
import zlib
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

import safetensors_file

IMPORTS = Path(__file__).resolve().parent / "imports"
STEPS = 200


class Recurrent(nn.Module):
    """layers of torch.nn between two linear maps."""

    def __init__(self, cell, layers, encodes=False):
        super().__init__()
        self.encoder = nn.Linear(3, 5) if encodes else nn.Identity()
        self.rnn = cell(5 if encodes else 3, 8, num_layers=layers, batch_first=True)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(self.rnn(self.encoder(x))[0])


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(1 + 0.2 * torch.randn(width))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5)


class MambaMixer(nn.Module):
    """Gu and Dao 2023, as in mamba_ssm, with the scan as a loop."""

    def __init__(self, width=8, states=4, taps=4, rank=2):
        super().__init__()
        inner = 2 * width
        self.rank, self.states = rank, states
        self.in_proj = nn.Linear(width, 2 * inner, bias=False)
        self.conv1d = nn.Conv1d(inner, inner, taps, groups=inner, padding=taps - 1)
        self.x_proj = nn.Linear(inner, rank + 2 * states, bias=False)
        self.dt_proj = nn.Linear(rank, inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1, states + 1.0)).repeat(inner, 1))
        self.D = nn.Parameter(torch.randn(inner))
        self.out_proj = nn.Linear(inner, width, bias=False)

    def forward(self, u):
        x, z = self.in_proj(u).chunk(2, -1)
        x = F.silu(self.conv1d(x.transpose(1, 2))[..., : u.shape[1]].transpose(1, 2))
        delta, B, C = self.x_proj(x).split([self.rank, self.states, self.states], -1)
        delta = F.softplus(self.dt_proj(delta))
        A, s, ys = -torch.exp(self.A_log), 0, []
        for t in range(u.shape[1]):
            s = torch.exp(delta[:, t, :, None] * A) * s + (delta * x)[:, t, :, None] * B[:, t, None]
            ys.append((s * C[:, t, None]).sum(-1) + self.D * x[:, t])
        return self.out_proj(torch.stack(ys, 1) * F.silu(z))


class Mamba(nn.Module):
    def __init__(self, width=8, layers=2, words=6):
        super().__init__()
        self.backbone = nn.Module()
        self.backbone.embedding = nn.Embedding(words, width)
        self.backbone.layers = nn.ModuleList(nn.Module() for _ in range(layers))
        for layer in self.backbone.layers:
            layer.mixer, layer.norm = MambaMixer(width), RmsNorm(width)
        self.backbone.norm_f = RmsNorm(width)
        self.lm_head = nn.Linear(width, words, bias=False)

    def forward(self, x):
        h = x @ self.backbone.embedding.weight  # one-hot rows
        for layer in self.backbone.layers:
            h = h + layer.mixer(layer.norm(h))
        return self.lm_head(self.backbone.norm_f(h))


class S4dKernel(nn.Module):
    def __init__(self, width, pairs):
        super().__init__()
        self.log_dt = nn.Parameter(torch.empty(width).uniform_(math.log(0.001), math.log(0.1)))
        self.log_A_real = nn.Parameter(torch.log(0.5 * torch.ones(width, pairs)))
        self.A_imag = nn.Parameter(math.pi * torch.arange(pairs).repeat(width, 1).float())
        self.C = nn.Parameter(torch.randn(width, pairs, 2))

    def forward(self, steps):
        dt, C = torch.exp(self.log_dt).double(), torch.view_as_complex(self.C.double())
        A = -torch.exp(self.log_A_real).double() + 1j * self.A_imag.double()
        dtA = A * dt[:, None]
        K = dtA[..., None] * torch.arange(steps)
        C = C * (torch.exp(dtA) - 1.0) / A
        return 2 * torch.einsum("hn,hnl->hl", C, torch.exp(K)).real


class S4dLayer(nn.Module):
    def __init__(self, width, pairs):
        super().__init__()
        self.kernel = S4dKernel(width, pairs)
        self.D = nn.Parameter(torch.randn(width))
        self.output_linear = nn.Sequential(nn.Conv1d(width, 2 * width, 1), nn.GLU(dim=-2))

    def forward(self, u):  # (batch, width, steps)
        steps = u.shape[-1]
        k = self.kernel(steps)
        y = torch.fft.irfft(torch.fft.rfft(u.double(), n=2 * steps) * torch.fft.rfft(k, n=2 * steps), n=2 * steps)
        return self.output_linear(F.gelu(y[..., :steps].float() + u * self.D[:, None]))


class S4d(nn.Module):
    def __init__(self, width=8, pairs=3, layers=2):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(3, width), nn.Linear(width, 2)
        self.s4_layers = nn.ModuleList(S4dLayer(width, pairs) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))

    def forward(self, x):
        h = self.encoder(x)
        for layer, norm in zip(self.s4_layers, self.norms):
            h = h + layer(norm(h).transpose(1, 2)).transpose(1, 2)
        return self.decoder(h)


class LlamaLayer(nn.Module):
    def __init__(self, width, heads, kv_heads, hidden):
        super().__init__()
        self.heads, size = heads, width // heads
        self.self_attn, self.mlp = nn.Module(), nn.Module()
        for name, rows in [("q", width), ("k", kv_heads * size), ("v", kv_heads * size), ("o", width)]:
            setattr(self.self_attn, name + "_proj", nn.Linear(width, rows, bias=False))
        self.mlp.gate_proj = nn.Linear(width, hidden, bias=False)
        self.mlp.up_proj = nn.Linear(width, hidden, bias=False)
        self.mlp.down_proj = nn.Linear(hidden, width, bias=False)
        self.input_layernorm, self.post_attention_layernorm = RmsNorm(width), RmsNorm(width)

    def rotated(self, x):
        steps, size = x.shape[-2:]
        angle = torch.arange(steps)[:, None] * 10000.0 ** (-torch.arange(0, size, 2) / size)
        cos, sin = torch.cos(angle).repeat(1, 2), torch.sin(angle).repeat(1, 2)
        half = torch.cat((-x[..., size // 2 :], x[..., : size // 2]), -1)
        return x * cos + half * sin

    def attention(self, u):
        a = self.self_attn
        q, k, v = (p(u).unflatten(-1, (-1, u.shape[-1] // self.heads)).transpose(1, 2) for p in (a.q_proj, a.k_proj, a.v_proj))
        k, v = (t.repeat_interleave(q.shape[1] // k.shape[1], 1) for t in (k, v))
        score = self.rotated(q) @ self.rotated(k).transpose(-1, -2) / math.sqrt(q.shape[-1])
        score = score.masked_fill(torch.ones(score.shape[-2:]).triu(1).bool(), -math.inf)
        return a.o_proj((score.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, h):
        h = h + self.attention(self.input_layernorm(h))
        u = self.post_attention_layernorm(h)
        return h + self.mlp.down_proj(F.silu(self.mlp.gate_proj(u)) * self.mlp.up_proj(u))


class Llama(nn.Module):
    def __init__(self, width=16, heads=4, words=6):
        super().__init__()
        self.model = nn.Module()
        self.model.embed_tokens = nn.Embedding(words, width)
        self.model.layers = nn.ModuleList(LlamaLayer(width, heads, 2, 24) for _ in range(2))
        self.model.norm = RmsNorm(width)
        self.lm_head = nn.Linear(width, words, bias=False)

    def forward(self, x):
        h = x @ self.model.embed_tokens.weight  # one-hot rows
        for layer in self.model.layers:
            h = layer(h)
        return self.lm_head(self.model.norm(h))


CASES = {
    "gru.safetensors": lambda: Recurrent(nn.GRU, 2),
    "lstm.safetensors": lambda: Recurrent(nn.LSTM, 2, encodes=True),
    "gru_layers.onnx": lambda: Recurrent(nn.GRU, 2, encodes=True),
    "lstm_layer.onnx": lambda: Recurrent(nn.LSTM, 1),
    "mamba.safetensors": Mamba,
    "s4d.safetensors": S4d,
    "llama.safetensors": Llama,
}


def rows(network):
    """normal numbers, or words as one-hot rows."""
    if isinstance(network, (Mamba, Llama)):
        return F.one_hot(torch.randint(6, (1, STEPS)), 6).float()
    return torch.randn(1, STEPS, 3)


def main():
    torch.set_num_threads(1)
    IMPORTS.mkdir(exist_ok=True)
    for name, build in CASES.items():
        torch.manual_seed(zlib.crc32(name.encode()))
        network = build().eval()
        x = rows(network)
        with torch.no_grad():
            y = network(x)
        path = IMPORTS / name
        if name.endswith(".onnx"):
            axes = {"x": {0: "batch", 1: "steps"}}
            torch.onnx.export(network, x, path, opset_version=14, input_names=["x"], output_names=["y"], dynamic_axes=axes)
        else:
            weights = {key: value.numpy() for key, value in network.state_dict().items()}
            safetensors_file.write(path, weights, {"format": "pt"})
        safetensors_file.write(path.with_suffix(".run.safetensors"), {"x": x[0].numpy(), "y": y[0].numpy()})
        print(f"{name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
