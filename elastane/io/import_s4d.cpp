// S4D layers with the names of the reference implementation (state-spaces/s4, s4d.py), normed before each layer.
#include <array>

#include "elastane/io/import_sites.h"

namespace elastane {
namespace {

constexpr std::array<std::string_view, 2> kS4dSigns = {"kernel.log_A_real", "kernel.A_imag"};

// a layer: the diagonal recurrence, gelu, a linear map of twice the width and a gate
BlockConfig place_s4d(Placer& placer, const Site& site, const std::string& block, int width) {
  const std::string from = site.prefix, to = block + "s4d.";
  const int pairs = placer.side(from + "kernel.log_A_real", 1, 2);
  placer.place(from + "kernel.log_dt", to + "log_dt", {width});
  placer.place(from + "kernel.log_A_real", to + "log_A_real", {width, pairs});
  placer.place(from + "kernel.A_imag", to + "A_imag", {width, pairs});
  placer.place(from + "kernel.C", to + "C", {width, pairs, 2});
  placer.place(from + "D", to + "D", {width});
  BlockConfig config{.kind = S4dConfig{.state = 2 * pairs}, .norm = Norm::none, .residual = false};
  const std::string mix = from + "output_linear.0.";
  if (!placer.has(mix + "weight")) return config;
  config.post = Activation::gelu;
  config.mix = Mix::glu;
  const auto flat = [](Tensor t) {
    t.shape.resize(2);  // a convolution of one tap is a matrix
    return t;
  };
  placer.place(mix + "weight", block + "mix.weight", {2 * width, width, 1}, "as a matrix", flat);
  placer.place_or_zeros(mix + "bias", block + "mix.bias", {2 * width});
  return config;
}

}  // namespace

bool has_s4d(const Placer& placer) { return !placer.ending_in(kS4dSigns[0]).empty(); }

ModelConfig import_s4d(Placer& placer, const ImportOptions& options) {
  ModelConfig config;
  config.norm = Norm::none;
  const std::vector<Site> sites = sites_of(placer, kS4dSigns, "S4D");
  config.width = placer.side(sites.front().prefix + "kernel.log_A_real", 0, 2);
  if (config.width == 0 || !placer.is_width(sites.front().prefix + "kernel.log_A_real", config.width)) return config;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const std::string to = "blocks." + std::to_string(i) + ".";
    BlockConfig block = place_s4d(placer, sites[i], to, config.width);
    // s4_layers.3. has its norm in norms.3.
    const std::string norm = "norms." + std::to_string(i) + ".";
    const std::vector<std::string> found = placer.ending_in(norm + "weight");
    if (!found.empty()) {
      block.norm = place_norm(placer, found[0].substr(0, found[0].size() - 6), to + "norm.", config.width);
      block.residual = true;
    }
    config.blocks.push_back(block);
  }
  config.inputs = place_encoder(placer, config.width, config.width, options.inputs);
  config.outputs = place_head(placer, config.width, config.width, options.outputs, false);
  return config;
}

}  // namespace elastane
