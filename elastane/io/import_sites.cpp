#include "elastane/io/import_sites.h"

#include <algorithm>
#include <charconv>

namespace elastane {
namespace {

Site site_of(const std::string& prefix) {
  Site site{.prefix = prefix, .stem = prefix, .index = {}};
  // the last piece between dots that is a number
  for (std::size_t end = prefix.size(); end > 0 && end != prefix.npos;) {
    const std::size_t dot = end == 1 ? prefix.npos : prefix.rfind('.', end - 2);
    const std::size_t begin = dot == prefix.npos ? 0 : dot + 1;
    int number = 0;
    const auto [last, error] = std::from_chars(prefix.data() + begin, prefix.data() + end - 1, number);
    if (error == std::errc() && last == prefix.data() + end - 1 && number >= 0) {
      site.index = number;
      site.stem = prefix.substr(0, begin) + "#" + prefix.substr(end - 1);
      break;
    }
    end = begin;
  }
  return site;
}

}  // namespace

std::vector<Site> sites_of(Placer& placer, std::span<const std::string_view> signs, const std::string& kind) {
  std::set<std::string> prefixes;
  for (const std::string_view sign : signs) {
    for (const std::string& name : placer.ending_in(sign)) prefixes.insert(name.substr(0, name.size() - sign.size()));
  }
  std::vector<Site> sites;
  for (const std::string& prefix : prefixes) sites.push_back(site_of(prefix));
  std::sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) { return a.index < b.index; });
  for (std::size_t i = 0; sites.size() > 1 && i < sites.size(); ++i) {
    const std::string expected = std::to_string(i);
    if (sites[i].stem != sites[0].stem) {
      placer.fault(sites[i].prefix, "expected all blocks in one list, found " + sites[0].prefix + " as well");
    } else if (sites[i].index != static_cast<int>(i)) {
      placer.fault(sites[i].prefix,
                   "expected block " + expected + " of a list of " + kind + " blocks, found none of that number");
      break;
    }
  }
  return sites;
}

Norm place_norm(Placer& placer, const std::string& from, const std::string& to, int width) {
  if (!placer.has(from + "weight")) return Norm::none;
  placer.place(from + "weight", to + "weight", {width});
  if (!placer.has(from + "bias")) return Norm::rms;
  placer.place(from + "bias", to + "bias", {width});
  return Norm::layer;
}

int place_gated_mlp(Placer& placer, const std::string& from, const std::string& to, int width) {
  const int hidden = placer.side(from + "gate_proj.weight", 0, 2);
  if (hidden == 0) return 0;
  placer.place(from + "gate_proj.weight", to + "gate.weight", {hidden, width});
  placer.place_or_zeros(from + "gate_proj.bias", to + "gate.bias", {hidden});
  placer.place(from + "up_proj.weight", to + "up.weight", {hidden, width});
  placer.place_or_zeros(from + "up_proj.bias", to + "up.bias", {hidden});
  placer.place(from + "down_proj.weight", to + "down.weight", {width, hidden});
  placer.place_or_zeros(from + "down_proj.bias", to + "down.bias", {width});
  return hidden;
}

void place_ends(Placer& placer, const ImportOptions& options, ModelConfig& config) {
  const std::vector<std::string> last = placer.ending_in("model.norm.weight");
  const std::string norm = last.empty() ? "norm." : last[0].substr(0, last[0].size() - 6);
  config.norm = place_norm(placer, norm, "norm.", config.width);
  config.inputs = place_encoder(placer, config.width, config.width, options.inputs);
  config.outputs = place_head(placer, config.width, config.width, options.outputs, true);
}

}  // namespace elastane
