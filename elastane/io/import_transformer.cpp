// Transformer layers with the names of Llama and its relatives: rms norms, rotary attention, a gated network with silu.
// Attention sees a window of steps; within it the model computes what the original does.
#include <array>

#include "elastane/io/import_sites.h"

namespace elastane {
namespace {

constexpr std::array<std::string_view, 1> kLlamaSigns = {"self_attn.q_proj.weight"};
constexpr std::array<std::string_view, 2> kOthers = {"attn.c_attn.weight", "attention.query_key_value.weight"};

// the number of key heads, or 0 after a fault
int place_attention(Placer& placer, const std::string& from, const std::string& to, int width, int heads) {
  const int size = width / heads, keys = placer.side(from + "k_proj.weight", 0, 2);
  if (keys == 0) return 0;
  if (keys % size != 0) {
    placer.fault(from + "k_proj.weight", "expected a multiple of the size of a head, " + std::to_string(size) +
                                             ", found " + std::to_string(keys) +
                                             " rows; is the number of heads right?");
    return 0;
  }
  placer.place(from + "q_proj.weight", to + "q_proj.weight", {width, width});
  placer.place(from + "k_proj.weight", to + "k_proj.weight", {keys, width});
  placer.place(from + "v_proj.weight", to + "v_proj.weight", {keys, width});
  placer.place(from + "o_proj.weight", to + "o_proj.weight", {width, width});
  for (const char* part : {"q_proj.bias", "k_proj.bias", "v_proj.bias", "o_proj.bias"}) {
    placer.leave_out_unless_zero(from + part, "an attention block has no bias (docs/model_format.md)");
  }
  return keys / size;
}

// both halves of a layer
void place_layer(Placer& placer, const std::string& from, const ImportOptions& options, ModelConfig& config) {
  const std::string first = "blocks." + std::to_string(config.blocks.size()) + ".";
  const std::string second = "blocks." + std::to_string(config.blocks.size() + 1) + ".";
  const int width = config.width;
  const int kv_heads = place_attention(placer, from + "self_attn.", first + "attention.", width, options.heads);
  const int hidden = place_gated_mlp(placer, from + "mlp.", second + "mlp.", width);
  if (!placer.has(from + "input_layernorm.weight") || !placer.has(from + "post_attention_layernorm.weight")) {
    placer.fault(from, "expected input_layernorm and post_attention_layernorm, found less");
  }
  config.blocks.push_back({.kind = AttentionConfig{.heads = options.heads,
                                                   .kv_heads = kv_heads,
                                                   .window = options.window,
                                                   .rotary_base = options.rotary_base},
                           .norm = place_norm(placer, from + "input_layernorm.", first + "norm.", width)});
  config.blocks.push_back({.kind = MlpConfig{.hidden = hidden, .activation = Activation::silu, .gated = true},
                           .norm = place_norm(placer, from + "post_attention_layernorm.", second + "norm.", width)});
}

}  // namespace

bool has_transformer(const Placer& placer) {
  const auto has = [&](std::string_view sign) { return !placer.ending_in(sign).empty(); };
  return has(kLlamaSigns[0]) || has(kOthers[0]) || has(kOthers[1]);
}

ModelConfig import_transformer(Placer& placer, const ImportOptions& options) {
  ModelConfig config;
  config.width = 0;
  for (const std::string_view other : kOthers) {
    for (const std::string& name : placer.ending_in(other)) {
      placer.fault(name, "expected layers like Llama's; biases of attention and learned positions have no place");
      return config;
    }
  }
  const std::vector<Site> sites = sites_of(placer, kLlamaSigns, "Transformer");
  const std::string query = sites.front().prefix + std::string(kLlamaSigns[0]);
  config.width = placer.side(query, 1, 2);
  if (config.width == 0 || !placer.is_width(query, config.width)) return config;
  if (options.heads < 1 || config.width % options.heads != 0) {
    placer.fault(query, "expected the number of heads, a divisor of " + std::to_string(config.width) + ", found " +
                            std::to_string(options.heads) + "; say it with --heads, the tensors do not");
    return config;
  }
  for (const Site& site : sites) place_layer(placer, site.prefix, options, config);
  place_ends(placer, options, config);
  return config;
}

}  // namespace elastane
