#include "lab/maze/roster.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "lab/maze/network_agent.h"
#include "lab/maze/oracle_agents.h"
#include "lab/maze/settings.h"

namespace elastane::maze {

Result<TrainedAgents> load_trained_agents(const std::string& folder) {
  auto configs = load_agent_configs(folder + "/maze.safetensors");
  if (!configs) return Error{configs.error()};
  TrainedAgents trained{.configs = *std::move(configs)};
  for (const auto& [name, what] : settings().networks) {
    const std::string path = folder + "/maze_" + name + ".safetensors";
    if (!std::filesystem::exists(path)) continue;
    auto model = load_network(path);
    if (!model) return Error{model.error()};
    trained.networks.push_back({name, what, *std::move(model)});
  }
  const std::string prices = folder + "/maze_prices.safetensors";
  if (!std::filesystem::exists(prices)) return trained;
  auto priced = load_priced_configs(prices);
  if (!priced) return Error{priced.error()};
  trained.priced = *std::move(priced);
  return trained;
}

std::vector<RosterEntry> make_roster(const TrainedAgents& trained, const MapShape& shape) {
  const Settings& texts = settings();
  std::vector<RosterEntry> all;
  all.push_back({{texts.replanner.name, texts.replanner.what, ""},
                 [](const MapShape&) { return std::make_unique<ReplannerAgent>(); }});
  for (const auto& [name, what] : texts.map_agents) {
    const AgentConfig& config = trained.configs.at(name);
    all.push_back({{name, what, ""}, [config](const MapShape& s) { return std::make_unique<MapAgent>(s, config); }});
  }
  if (shape.moves == Moves::eight) return all;
  const AgentConfig& esm = trained.configs.at("esm");
  all.push_back({{texts.oracle_depth.name, texts.oracle_depth.what, ""}, [esm](const MapShape& s) {
                   return std::make_unique<OracleDepthAgent>(s, esm, settings().oracle_price);
                 }});
  for (const Network& network : trained.networks) {
    const Model& model = network.model;
    all.push_back(
        {{network.name, network.what, ""}, [model](const MapShape&) { return std::make_unique<NetworkAgent>(model); }});
  }
  return all;
}

std::vector<RosterEntry> priced_roster(const TrainedAgents& trained) {
  std::vector<RosterEntry> all;
  for (const auto& [price, seed, config] : trained.priced) {
    char settings_text[32];
    std::snprintf(settings_text, sizeof settings_text, "price %g", price);
    const std::string how = settings_text + std::string(", seed ") + std::to_string(seed);
    all.push_back({{"esm, " + how, "esm, trained with " + how, settings_text},
                   [config = config](const MapShape& s) { return std::make_unique<MapAgent>(s, config); }});
  }
  return all;
}

std::vector<benchmark::Claim> make_claims(const TrainedAgents& trained) {
  std::vector<benchmark::Claim> claims = settings().claims;
  const auto is_absent = [&](const benchmark::Claim& claim) {
    const bool is_network =
        std::ranges::find(settings().networks, claim.rival, &AgentText::name) != settings().networks.end();
    return is_network && std::ranges::find(trained.networks, claim.rival, &Network::name) == trained.networks.end();
  };
  std::erase_if(claims, is_absent);
  return claims;
}

}  // namespace elastane::maze
