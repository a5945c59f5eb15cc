// GRU and LSTM layers with PyTorch's names: weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, weight_ih_l1, …
//
// Our blocks all have the width of the stream between them, which must hold the inputs of the first layer and the outputs
// of every layer. Narrower tensors are padded with zeros, which changes no value.
#include <algorithm>

#include "elastane/io/placer.h"

namespace elastane {
namespace {

constexpr std::size_t kMostLayers = 1024;  // of any model

std::string layer_name(const char* what, std::size_t layer) { return what + ("_l" + std::to_string(layer)); }

// rnn. of rnn.weight_hh_l0
std::vector<std::string> prefixes_of(const Placer& placer) {
  std::vector<std::string> prefixes;
  for (const std::string part : {"weight_hh_l0", "weight_ih_l0"}) {
    for (const std::string& name : placer.ending_in(part)) {
      const std::string prefix = name.substr(0, name.size() - part.size());
      if (std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end()) prefixes.push_back(prefix);
    }
  }
  return prefixes;
}

// up to the last layer that has any tensor: a gap is a fault, not the end
std::size_t layers_of(const Placer& placer, const std::string& prefix) {
  std::size_t layers = 0;
  for (std::size_t i = 0; i < kMostLayers; ++i) {
    const bool is_there =
        placer.has(prefix + layer_name("weight_ih", i)) || placer.has(prefix + layer_name("weight_hh", i));
    if (is_there) layers = i + 1;
  }
  return layers;
}

// variants that PyTorch has and our streams do not
void refuse_variants(Placer& placer) {
  for (const auto& [name, tensor] : placer.stored()) {
    const bool is_gate = name.find("weight_ih_l") != name.npos || name.find("weight_hh_l") != name.npos;
    if (is_gate && name.ends_with("_reverse")) {
      placer.fault(name, "expected layers that run forward, found bidirectional ones, which need the future");
    }
    if (name.find("weight_hr_l") != name.npos) {
      placer.fault(name, "expected an LSTM without projections, found proj_size > 0, which is not known");
    }
  }
}

// 3 or 4 gates, from the shape of weight_hh; 0 after a fault
int gates_of(Placer& placer, const std::string& name, ImportKind asked) {
  const int rows = placer.side(name, 0, 2), hidden = placer.side(name, 1, 2);
  if (rows == 0 || hidden == 0) return 0;
  const int gates = rows / hidden;
  const bool fits = asked == ImportKind::gru    ? gates == 3
                    : asked == ImportKind::lstm ? gates == 4
                                                : gates == 3 || gates == 4;
  if (rows % hidden == 0 && fits) return gates;
  const std::string expected = asked == ImportKind::gru    ? "3 rows of gates for each column, as a GRU has"
                               : asked == ImportKind::lstm ? "4 rows of gates for each column, as an LSTM has"
                                                           : "3 rows for each column (GRU) or 4 (LSTM)";
  placer.fault(name, "expected " + expected + ", found (" + std::to_string(rows) + " x " + std::to_string(hidden) +
                         ")" + (gates == 1 ? "; a plain RNN is not known" : ""));
  return 0;
}

// h → (0, h): the state behind the inputs
Tensor shifted_identity(int inputs, int hidden) {
  Tensor out = zeros({inputs + hidden, hidden});
  for (int i = 0; i < hidden; ++i) out.values[static_cast<std::size_t>(inputs + i) * hidden + i] = 1;
  return out;
}

// y = x₀ + Wh + b, of (x, h)
int place_skipping_head(Placer& placer, int inputs, int hidden) {
  const std::vector<std::string> names = placer.ending_in("lin.weight");
  if (names.size() != 1) {
    placer.fault("lin.weight", "expected it beside a skip connection, found " + std::to_string(names.size()));
    return 0;
  }
  const auto behind = [&](const Tensor& t) {
    Tensor out = zeros({1, inputs + hidden});
    out.values[0] = 1;
    std::copy(t.values.begin(), t.values.end(), out.values.begin() + inputs);
    return out;
  };
  placer.place(names[0], "head.0.weight", {1, hidden}, "behind the inputs, with the skip connection", behind);
  placer.place_or_zeros(names[0].substr(0, names[0].size() - 6) + "bias", "head.0.bias", {1});
  return 1;
}

}  // namespace

bool has_recurrent(const Placer& placer) { return !prefixes_of(placer).empty(); }

ModelConfig import_recurrent(Placer& placer, const ImportOptions& options) {
  ModelConfig config;
  config.norm = Norm::none;
  refuse_variants(placer);
  const std::vector<std::string> prefixes = prefixes_of(placer);
  const std::string prefix = prefixes.front();
  if (prefixes.size() > 1) {
    placer.fault(prefixes[1] + "weight_hh_l0",
                 "expected one recurrent network, found " + prefix + "weight_hh_l0 as well");
    return config;
  }
  const int gates = gates_of(placer, prefix + "weight_hh_l0", options.kind);
  const int inputs = placer.side(prefix + "weight_ih_l0", 1, 2);
  if (gates == 0 || inputs == 0) return config;
  const int hidden = placer.side(prefix + "weight_hh_l0", 1, 2), rows = gates * hidden;
  const std::size_t layers = layers_of(placer, prefix);
  if (options.skip && layers != 1) {
    placer.fault(prefix + "weight_hh_l1", "expected one layer beside a skip connection, found more");
    return config;
  }
  // with a skip connection the stream carries the inputs beside the state
  config.width = options.skip ? inputs + hidden : std::max(inputs, hidden);
  if (!placer.is_width(prefix + "weight_ih_l0", config.width)) return config;

  for (std::size_t i = 0; i < layers; ++i) {
    const std::string block = "blocks." + std::to_string(i) + ".";
    const std::string to = block + (gates == 3 ? "gru." : "lstm.");
    const int columns = i == 0 ? inputs : hidden;
    const auto widen = [&](const Tensor& t) { return widened(t, rows, config.width); };
    placer.place(prefix + layer_name("weight_ih", i), to + "weight_ih_l0", {rows, columns},
                 columns < config.width ? "padded with zeros" : "", widen);
    placer.place(prefix + layer_name("weight_hh", i), to + "weight_hh_l0", {rows, hidden});
    placer.place_or_zeros(prefix + layer_name("bias_ih", i), to + "bias_ih_l0", {rows});
    placer.place_or_zeros(prefix + layer_name("bias_hh", i), to + "bias_hh_l0", {rows});
    BlockConfig layer{.kind = {}, .norm = Norm::none, .residual = false};
    if (gates == 3) layer.kind = GruConfig{.hidden = hidden};
    if (gates == 4) layer.kind = LstmConfig{.hidden = hidden};
    if (hidden < config.width) {
      layer.mix = Mix::linear;
      layer.residual = options.skip;
      placer.make(block + "mix.weight",
                  options.skip ? shifted_identity(inputs, hidden) : identity(config.width, hidden),
                  options.skip ? "identity behind the inputs" : "identity");
      placer.make(block + "mix.bias", zeros({config.width}), "zeros");
    }
    config.blocks.push_back(layer);
  }
  config.inputs = place_encoder(placer, inputs, config.width, options.inputs);
  config.outputs = options.skip ? place_skipping_head(placer, inputs, hidden)
                                : place_head(placer, hidden, config.width, options.outputs, false);
  return config;
}

}  // namespace elastane
