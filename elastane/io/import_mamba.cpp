// Mamba blocks with the names of the reference implementation (mamba_ssm) and of Hugging Face's.
#include <algorithm>
#include <array>

#include "elastane/io/import_sites.h"

namespace elastane {
namespace {

// the name that identifies a block; its other tensors have names that other layers use too
constexpr std::array<std::string_view, 3> kMambaSigns = {"A_log", "x_proj.weight", "dt_proj.weight"};

bool is_mixer(const Site& site) { return site.prefix == "mixer." || site.prefix.ends_with(".mixer."); }
std::string layer_of(const Site& site) { return site.prefix.substr(0, site.prefix.size() - 6); }  // contains the mixer

// its tensors, and the sizes that follow from their shapes; the first block sets `width`
BlockConfig place_mamba(Placer& placer, const Site& site, std::size_t i, int& width) {
  const std::string from = site.prefix, to = "blocks." + std::to_string(i) + ".mamba.";
  const bool second = placer.has(from + "dt_bias") && !placer.has(from + "x_proj.weight");
  if (second) {
    placer.fault(from + "dt_bias", "expected a block of Mamba, found one of Mamba-2, which is not known");
    return {};
  }
  const int rows = placer.side(from + "in_proj.weight", 0, 2), columns = placer.side(from + "in_proj.weight", 1, 2);
  const int state = placer.side(from + "A_log", 1, 2), rank = placer.side(from + "dt_proj.weight", 1, 2);
  const int taps = placer.side(from + "conv1d.weight", 2, 3);
  if (width == 0) width = columns;
  const int inner = rows / 2;
  if (rows == 0 || state == 0 || rank == 0 || taps == 0 || width == 0) return {};
  if (!placer.is_width(from + "in_proj.weight", width)) return {};
  if (columns != width || rows % (2 * width) != 0) {
    placer.fault(from + "in_proj.weight", "expected twice a multiple of the width by the width, " +
                                              std::to_string(width) + ", found (" + std::to_string(rows) + " x " +
                                              std::to_string(columns) + ")");
    return {};
  }
  placer.place(from + "in_proj.weight", to + "in_proj.weight", {rows, width});
  placer.place(from + "conv1d.weight", to + "conv1d.weight", {inner, 1, taps});
  placer.place_or_zeros(from + "conv1d.bias", to + "conv1d.bias", {inner});
  placer.place(from + "x_proj.weight", to + "x_proj.weight", {rank + 2 * state, inner});
  placer.place(from + "dt_proj.weight", to + "dt_proj.weight", {inner, rank});
  placer.place(from + "dt_proj.bias", to + "dt_proj.bias", {inner});
  placer.place(from + "A_log", to + "A_log", {inner, state});
  placer.place(from + "D", to + "D", {inner});
  placer.place(from + "out_proj.weight", to + "out_proj.weight", {width, inner});
  for (const char* bias : {"in_proj.bias", "out_proj.bias"}) {
    placer.leave_out_unless_zero(from + bias, "a Mamba block has no bias there (docs/model_format.md)");
  }
  return {.kind = MambaConfig{.state = state, .conv = taps, .expand = inner / width, .dt_rank = rank}};
}

}  // namespace

bool has_mamba(const Placer& placer) {
  if (has_delta(placer)) return false;  // which has an A_log too
  return std::any_of(kMambaSigns.begin(), kMambaSigns.end(),
                     [&](auto sign) { return !placer.ending_in(sign).empty(); });
}

ModelConfig import_mamba(Placer& placer, const ImportOptions& options) {
  ModelConfig config;
  config.width = 0;
  const std::vector<Site> sites = sites_of(placer, kMambaSigns, "Mamba");
  for (std::size_t i = 0; i < sites.size(); ++i) {
    BlockConfig block = place_mamba(placer, sites[i], i, config.width);
    // a layer of a stack has a norm before its mixer and a residual connection; a single block has neither
    block.norm = Norm::none;
    if (is_mixer(sites[i]) && config.width > 0) {
      const std::string norm = layer_of(sites[i]) + "norm.";
      const bool is_layer = sites[i].index.has_value();
      if (is_layer && !placer.has(norm + "weight"))
        placer.fault(norm + "weight", "expected a layer's norm, found none");
      block.norm = place_norm(placer, norm, "blocks." + std::to_string(i) + ".norm.", config.width);
    }
    block.residual = block.norm != Norm::none;
    config.blocks.push_back(block);
  }
  if (config.width == 0) return config;  // with faults

  const std::vector<std::string> last = placer.ending_in("norm_f.weight");
  const bool is_language_model = !placer.ending_in("lm_head.weight").empty() ||
                                 !placer.ending_in("embedding.weight").empty() ||
                                 !placer.ending_in("embeddings.weight").empty();
  if (last.empty() && is_language_model)
    placer.fault("norm_f.weight", "expected a language model's last norm, found none");
  if (last.size() > 1) placer.fault(last[1], "expected one last norm, found " + last[0] + " as well");
  config.norm =
      last.empty() ? Norm::none : place_norm(placer, last[0].substr(0, last[0].size() - 6), "norm.", config.width);
  config.inputs = place_encoder(placer, config.width, config.width, options.inputs);
  config.outputs = place_head(placer, config.width, config.width, options.outputs, true);
  return config;
}

}  // namespace elastane
