#include "lab/maze/settings.h"

#include <nlohmann/json.hpp>

#include "experiments/maze/settings.h"
#include "lab/benchmark/claims_json.h"

namespace elastane::maze {
namespace {

using Json = nlohmann::json;

std::vector<AgentText> parse_texts(const Json& json) {
  std::vector<AgentText> texts;
  for (const Json& agent : json) texts.push_back({agent.at("name"), agent.at("what")});
  return texts;
}

Settings parse(const Json& json) {
  const Json& oracle = json.at("oracle_depth");
  return {.replanner = {"replanner", json.at("replanner")},
          .oracle_depth = {"oracle_depth", oracle.at("what")},
          .map_agents = parse_texts(json.at("map_agents")),
          .networks = parse_texts(json.at("networks")),
          .oracle_price = oracle.at("price"),
          .kappa_threshold = json.at("kappa_threshold"),
          .claims = benchmark::parse_claims(experiments::maze::claims_json)};
}

}  // namespace

const Settings& settings() {
  static const Settings all = parse(Json::parse(experiments::maze::roster_json));
  return all;
}

}  // namespace elastane::maze
