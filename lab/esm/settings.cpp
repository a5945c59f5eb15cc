#include "lab/esm/settings.h"

#include <nlohmann/json.hpp>

#include "experiments/esm/settings.h"  // made from experiments/esm/settings/*.json

namespace elastane::esm {
namespace {

Settings parse(const char* text) {
  const auto json = nlohmann::json::parse(text);
  Settings s;
  for (const auto& world : json.at("worlds")) {
    s.worlds.push_back({world.at("benchmark"), world.at("title"), world.at("episodes"), world.at("curve")});
  }
  s.success_of = json.at("success_of");
  s.energy_of = json.at("energy_of");
  s.curve_episodes = json.at("curve_episodes");
  for (const auto& row : json.at("published")) {
    s.published.push_back({row.at("agent"), row.at("success"), row.at("energy"), row.at("compute")});
  }
  return s;
}

}  // namespace

const Settings& settings() {
  static const Settings parsed = parse(experiments::esm::table_json);
  return parsed;
}

}  // namespace elastane::esm
