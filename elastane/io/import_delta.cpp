// Layers of delta networks with the names of flash-linear-attention: DeltaNet and GatedDeltaNet, each followed by a network.
#include <array>
#include <cmath>

#include "elastane/io/import_sites.h"

namespace elastane {
namespace {

constexpr std::array<std::string_view, 1> kDeltaSigns = {"attn.k_conv1d.weight"};

struct DeltaSizes {
  int heads = 0, key_heads = 0, key = 0, value = 0, taps = 0, width = 0;
};

// the sizes that follow from shapes; no heads after a fault
DeltaSizes sizes_of(Placer& placer, const std::string& from, int asked_heads) {
  DeltaSizes s{.heads = placer.side(from + "b_proj.weight", 0, 2),
               .value = placer.side(from + "o_norm.weight", 0, 1),
               .taps = placer.side(from + "k_conv1d.weight", 2, 3),
               .width = placer.side(from + "b_proj.weight", 1, 2)};
  const int keys = placer.side(from + "k_proj.weight", 0, 2);
  if (s.heads == 0 || s.value == 0 || s.taps == 0 || keys == 0) return {};
  if (!placer.is_width(from + "b_proj.weight", s.width)) return {};
  s.key_heads = asked_heads > 0 ? asked_heads : s.heads;
  if (keys % s.key_heads != 0 || s.heads % s.key_heads != 0) {
    placer.fault(from + "k_proj.weight", "expected key heads that divide " + std::to_string(keys) + " rows and " +
                                             std::to_string(s.heads) + " value heads, found " +
                                             std::to_string(s.key_heads) + "; say their number with --heads");
    return {};
  }
  s.key = keys / s.key_heads;
  return s;
}

// each key head as often as it has value heads
Reshape repeated(const DeltaSizes& s) {
  return [s](const Tensor& t) {
    Tensor out = t;
    const int copies = s.heads / s.key_heads;
    const std::size_t head = t.values.size() / static_cast<std::size_t>(s.key_heads);
    out.shape[0] = t.shape[0] * copies;
    out.values.clear();
    for (int h = 0; h < s.heads; ++h) {
      const auto from = t.values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(h / copies) * head);
      out.values.insert(out.values.end(), from, from + static_cast<std::ptrdiff_t>(head));
    }
    return out;
  };
}

Tensor negated(const Tensor& t) {
  Tensor out = t;
  for (float& x : out.values) x = -x;
  return out;
}

// exp(−exp(A_log)·softplus(x)) = σ(−x)^exp(A_log)
void place_decay(Placer& placer, const std::string& from, const std::string& to, const DeltaSizes& s) {
  placer.place(from + "a_proj.weight", to + "a_proj.weight", {s.heads, s.width}, "negated", negated);
  placer.place(from + "dt_bias", to + "a_proj.bias", {s.heads}, "negated", negated);
  placer.place(from + "A_log", to + "A_log", {s.heads});
}

BlockConfig place_delta(Placer& placer, const std::string& from, const std::string& to, const DeltaSizes& s) {
  const bool decay = placer.has(from + "a_proj.weight"), gated = placer.has(from + "g_proj.weight");
  const int keys = s.key_heads * s.key, values = s.heads * s.value;
  const std::string how = s.key_heads < s.heads ? "a copy for each value head" : "";
  for (const char* stream : {"q", "k"}) {
    placer.place(from + stream + "_proj.weight", to + stream + "_proj.weight", {keys, s.width}, how, repeated(s));
    placer.place(from + stream + "_conv1d.weight", to + stream + "_conv1d.weight", {keys, 1, s.taps}, how, repeated(s));
  }
  placer.place(from + "v_proj.weight", to + "v_proj.weight", {values, s.width});
  placer.place(from + "v_conv1d.weight", to + "v_conv1d.weight", {values, 1, s.taps});
  placer.place(from + "b_proj.weight", to + "b_proj.weight", {s.heads, s.width});
  placer.make(to + "b_proj.bias", zeros({s.heads}), "zeros");
  if (decay) place_decay(placer, from, to, s);
  if (gated) placer.place(from + "g_proj.weight", to + "g_proj.weight", {values, s.width});
  placer.place(from + "o_norm.weight", to + "o_norm.weight", {s.value});
  placer.place(from + "o_proj.weight", to + "o_proj.weight", {s.width, values});
  for (const char* stream : {"q", "k", "v"}) {
    placer.leave_out_unless_zero(from + stream + "_conv1d.bias", "a delta block has no bias there");
  }
  return {.kind = DeltaConfig{.heads = s.heads,
                              .key = s.key,
                              .value = s.value,
                              .taps = s.taps,
                              .decay = decay,
                              .form = DeltaForm::published,
                              .gated = gated}};
}

}  // namespace

bool has_delta(const Placer& placer) { return !placer.ending_in(kDeltaSigns[0]).empty(); }

ModelConfig import_delta(Placer& placer, const ImportOptions& options) {
  ModelConfig config;
  config.width = 0;
  for (const Site& site : sites_of(placer, kDeltaSigns, "delta")) {
    const std::string first = "blocks." + std::to_string(config.blocks.size()) + ".";
    const std::string second = "blocks." + std::to_string(config.blocks.size() + 1) + ".";
    const DeltaSizes s = sizes_of(placer, site.prefix + "attn.", options.heads);
    if (s.heads == 0) return config;
    if (config.width == 0) config.width = s.width;
    for (const char* norm : {"attn_norm.weight", "mlp_norm.weight"}) {
      if (!placer.has(site.prefix + norm)) placer.fault(site.prefix + norm, "expected a layer's norm, found none");
    }
    BlockConfig block = place_delta(placer, site.prefix + "attn.", first + "delta.", s);
    block.norm = place_norm(placer, site.prefix + "attn_norm.", first + "norm.", config.width);
    config.blocks.push_back(block);
    const int hidden = place_gated_mlp(placer, site.prefix + "mlp.", second + "mlp.", config.width);
    config.blocks.push_back({.kind = MlpConfig{.hidden = hidden, .activation = Activation::silu, .gated = true},
                             .norm = place_norm(placer, site.prefix + "mlp_norm.", second + "norm.", config.width)});
  }
  if (config.width == 0) return config;  // with faults
  place_ends(placer, options, config);
  return config;
}

}  // namespace elastane
