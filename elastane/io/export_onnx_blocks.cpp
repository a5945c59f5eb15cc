// The blocks as graphs: the equations of docs/model_format.md for dt = 1, on rows of several streams.
#include <cmath>

#include "elastane/core/backbone/s4d.h"
#include "elastane/io/export_onnx_graph.h"

namespace elastane {
namespace {

// rows of gates in ONNX's order: its gate g is gate order[g] of PyTorch
std::vector<float> reordered(const Tensor& t, const std::vector<std::size_t>& order) {
  const std::size_t each = t.values.size() / order.size();
  std::vector<float> out;
  for (const std::size_t gate : order) {
    const auto from = t.values.begin() + static_cast<std::ptrdiff_t>(gate * each);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(each));
  }
  return out;
}

// weights of the operators GRU and LSTM, with their one direction in front
std::vector<std::string> gate_weights(const std::string& from, const std::vector<std::size_t>& order, GraphBuilder& g) {
  std::vector<std::string> names;
  for (const char* part : {"weight_ih_l0", "weight_hh_l0"}) {
    const Tensor& t = g.tensor(from + part);
    names.push_back(g.constant(t.name, {1, t.shape[0], t.shape[1]}, reordered(t, order)));
  }
  std::vector<float> biases = reordered(g.tensor(from + "bias_ih_l0"), order);
  const std::vector<float> of_state = reordered(g.tensor(from + "bias_hh_l0"), order);
  biases.insert(biases.end(), of_state.begin(), of_state.end());
  const auto count = static_cast<std::int64_t>(biases.size());
  names.push_back(g.constant(from + "bias_l0", {1, count}, std::move(biases)));
  return names;
}

std::string export_gates(const std::string& from, bool is_lstm, const std::string& u, GraphBuilder& g) {
  const std::int64_t hidden = g.tensor(from + "weight_hh_l0").shape[1];
  // PyTorch: r, z, n and i, f, g, o; ONNX: z, r, h and i, o, f, c
  const std::vector<std::size_t> order =
      is_lstm ? std::vector<std::size_t>{0, 3, 1, 2} : std::vector<std::size_t>{1, 0, 2};
  const std::vector<std::string> w = gate_weights(from, order, g);
  std::vector<std::string> inputs = {g.unsqueeze(u, 0), w[0], w[1], w[2], ""};
  const std::string h = g.state(from + "h", {hidden});
  inputs.push_back(g.unsqueeze(h, 0));
  std::vector<OnnxAttribute> attributes = {whole_attribute("hidden_size", hidden)};
  if (!is_lstm) {
    attributes.push_back(whole_attribute("linear_before_reset", 1));
    const std::string next = g.squeeze(g.several(2, "GRU", inputs, attributes)[1], 0);
    g.next(h, next);
    return next;
  }
  const std::string c = g.state(from + "c", {hidden});
  inputs.push_back(g.unsqueeze(c, 0));
  const std::vector<std::string> outputs = g.several(3, "LSTM", inputs, attributes);
  const std::string next = g.squeeze(outputs[1], 0);
  g.next(h, next);
  g.next(c, g.squeeze(outputs[2], 0));
  return next;
}

std::string export_mlp(const MlpConfig& config, const std::string& from, const std::string& u, GraphBuilder& g) {
  std::string x = g.linear(u, from + "up.weight", from + "up.bias");
  if (config.gated) {
    const std::string gate = g.linear(u, from + "gate.weight", from + "gate.bias");
    x = g.multiply(g.activate(config.activation, gate), x);
  } else {
    x = g.activate(config.activation, x);
  }
  return g.linear(x, from + "down.weight", from + "down.bias");
}

// s + (Ēs + B̄u), as the engine computes it: Ā = 1 + Ē in float32 would lose slow modes
std::string export_s4d(const S4dConfig& config, int width, const std::string& from, const std::string& u,
                       GraphBuilder& g) {
  const S4dTensors t{.log_dt = g.tensor(from + "log_dt").values,
                     .log_a_real = g.tensor(from + "log_A_real").values,
                     .a_imag = g.tensor(from + "A_imag").values,
                     .c = g.tensor(from + "C").values,
                     .pairs = config.state / 2,
                     .bilinear = config.discretisation == Discretisation::bilinear};
  const auto plane = [&](const char* name, auto value) {
    std::vector<float> values;
    for (int i = 0; i < width; ++i) {
      for (int n = 0; n < t.pairs; ++n) values.push_back(static_cast<float>(value(n, i)));
    }
    return g.constant(from + name, {width, t.pairs}, std::move(values));
  };
  const std::string e_re = plane("e.re", [&](int n, int i) { return t.e(n, i).real(); });
  const std::string e_im = plane("e.im", [&](int n, int i) { return t.e(n, i).imag(); });
  const std::string b_re = plane("b.re", [&](int n, int i) { return t.b(n, i).real(); });
  const std::string b_im = plane("b.im", [&](int n, int i) { return t.b(n, i).imag(); });
  const std::string c_re = plane("c.re", [&](int n, int i) { return 2 * t.c[(i * t.pairs + n) * 2]; });
  const std::string c_im = plane("c.im", [&](int n, int i) { return 2 * t.c[(i * t.pairs + n) * 2 + 1]; });

  const std::string re = g.state(from + "s.re", {width, t.pairs}), im = g.state(from + "s.im", {width, t.pairs});
  const std::string input = g.unsqueeze(u, -1);
  const std::string re_step = g.subtract(g.multiply(e_re, re), g.multiply(e_im, im));
  const std::string im_step = g.add(g.multiply(e_re, im), g.multiply(e_im, re));
  const std::string re_next = g.add(re, g.add(re_step, g.multiply(b_re, input)));
  const std::string im_next = g.add(im, g.add(im_step, g.multiply(b_im, input)));
  g.next(re, re_next);
  g.next(im, im_next);
  const std::string read = g.sum_last(g.subtract(g.multiply(c_re, re_next), g.multiply(c_im, im_next)));
  return g.add(read, g.multiply(g.weight(from + "D"), u));  // 2·Re Σ C_n s_n + D ⊙ u
}

// −exp(x) of a tensor
std::string negative_rates(const std::string& name, GraphBuilder& g) {
  const Tensor& t = g.tensor(name);
  std::vector<float> values;
  for (const float x : t.values) values.push_back(static_cast<float>(-std::exp(static_cast<double>(x))));
  return g.constant(name + ".rate", t.shape, std::move(values));
}

// silu(conv(x) + b); the state holds the inputs before this one, oldest first
std::string export_convolution(const std::string& from, const std::string& x, GraphBuilder& g) {
  const Tensor& w = g.tensor(from + "conv1d.weight");
  const std::int64_t inner = w.shape[0], taps = w.shape[2];
  std::string window = g.unsqueeze(x, -1);
  if (taps > 1) {
    const std::string past = g.state(from + "conv", {inner, taps - 1});
    window = g.op("Concat", {past, window}, {whole_attribute("axis", -1)});
    g.next(past, g.without_first(window));
  }
  const std::string taken = g.multiply(window, g.constant(w.name, {inner, taps}, w.values));
  return g.activate(Activation::silu, g.add(g.sum_last(taken), g.weight(from + "conv1d.bias")));
}

std::string export_mamba(const std::string& from, const std::string& u, GraphBuilder& g) {
  const std::int64_t inner = g.tensor(from + "A_log").shape[0], states = g.tensor(from + "A_log").shape[1];
  const std::int64_t rank = g.tensor(from + "dt_proj.weight").shape[1];
  const std::vector<std::string> xz = g.split(g.linear(u, from + "in_proj.weight"), {inner, inner});
  const std::string x = export_convolution(from, xz[0], g);
  const std::vector<std::string> dbc = g.split(g.linear(x, from + "x_proj.weight"), {rank, states, states});
  const std::string delta = g.op("Softplus", {g.linear(dbc[0], from + "dt_proj.weight", from + "dt_proj.bias")});
  const std::string s = g.state(from + "s", {inner, states});
  const std::string kept = g.op("Exp", {g.multiply(g.unsqueeze(delta, -1), negative_rates(from + "A_log", g))});
  const std::string entering = g.multiply(g.unsqueeze(g.multiply(delta, x), -1), g.unsqueeze(dbc[1], 1));
  const std::string next = g.add(g.multiply(kept, s), entering);  // e^(ΔA)s + (Δ ⊙ x)B
  g.next(s, next);
  const std::string read = g.sum_last(g.multiply(next, g.unsqueeze(dbc[2], 1)));
  const std::string y = g.add(read, g.multiply(g.weight(from + "D"), x));  // C·s + D ⊙ x
  return g.linear(g.multiply(y, g.activate(Activation::silu, xz[1])), from + "out_proj.weight");
}

std::string export_selective(const std::string& from, const std::string& u, GraphBuilder& g) {
  const std::string z = g.state(from + "z", {g.tensor(from + "log_a").shape[0]});
  const std::string delta = g.op("Softplus", {g.linear(u, from + "delta.weight", from + "delta.bias")});
  const std::string a = g.op("Exp", {g.multiply(delta, negative_rates(from + "log_a", g))});
  const std::string drive = g.linear(u, from + "input.weight", from + "input.bias");
  const std::string next = g.add(drive, g.multiply(a, g.subtract(z, drive)));  // az + (1−a)d
  g.next(z, next);
  return next;
}

}  // namespace

std::string export_block(const BlockConfig& block, int width, const std::string& prefix, const std::string& u,
                         GraphBuilder& graph) {
  const std::string from = prefix + std::string(block_name(block)) + ".";
  if (const auto* s4d = std::get_if<S4dConfig>(&block.kind)) return export_s4d(*s4d, width, from, u, graph);
  if (const auto* mlp = std::get_if<MlpConfig>(&block.kind)) return export_mlp(*mlp, from, u, graph);
  if (std::holds_alternative<MambaConfig>(block.kind)) return export_mamba(from, u, graph);
  if (std::holds_alternative<GruConfig>(block.kind)) return export_gates(from, false, u, graph);
  if (std::holds_alternative<LstmConfig>(block.kind)) return export_gates(from, true, u, graph);
  if (std::holds_alternative<SelectiveConfig>(block.kind)) return export_selective(from, u, graph);
  return {};
}

}  // namespace elastane
