#include "lab/maze/roster.h"

#include <cstdio>
#include <filesystem>

#include "lab/maze/network_agent.h"
#include "lab/maze/oracle_agents.h"

namespace elastane::maze {
namespace {

constexpr double kOraclePrice = 0.005;  // as esm's gate was trained with

// networks by their names; a line here and a file in the folder of weights add one
constexpr std::pair<const char*, const char*> kNetworks[] = {
    {"ssm", "a selective state-space model"},
    {"hybrid", "the same with a head of windowed attention"},
    {"transformer", "two layers of attention over 128 steps"},
    {"transformer_map", "the same, told what k0's head sees of its map"},
};

constexpr std::pair<const char*, const char*> kMapAgents[] = {
    {"esm", "the map, refined as deep as a learned gate says"},
    {"k0", "the same map, never refined"},
    {"uniform_1", "refined once in every step"},
    {"uniform_4", "refined up to four times in every step"},
    {"random", "refined as deep as esm, at random"},
    {"kappa", "refined where kappa is above a threshold"},
    {"euclidean", "refined in every step along the gradient"},
    {"diagonal", "refined in every step along the gradient over variances"},
};

}  // namespace

Result<TrainedAgents> load_trained_agents(const std::string& folder) {
  auto configs = load_agent_configs(folder + "/maze.safetensors");
  if (!configs) return Error{configs.error()};
  TrainedAgents trained{.configs = *std::move(configs)};
  for (const auto& [name, what] : kNetworks) {
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
  std::vector<RosterEntry> all;
  all.push_back({{"replanner", "plans anew whenever it sees something new: the ceiling", ""},
                 [](const MapShape&) { return std::make_unique<ReplannerAgent>(); }});
  for (const auto& [name, what] : kMapAgents) {
    const AgentConfig& config = trained.configs.at(name);
    all.push_back({{name, what, ""}, [config](const MapShape& s) { return std::make_unique<MapAgent>(s, config); }});
  }
  const AgentConfig& esm = trained.configs.at("esm");
  if (shape.moves == Moves::eight) return all;
  all.push_back({{"oracle_depth", "esm with the depth that turns out best", ""},
                 [esm](const MapShape& s) { return std::make_unique<OracleDepthAgent>(s, esm, kOraclePrice); }});
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
    char settings[32];
    std::snprintf(settings, sizeof settings, "price %g", price);
    const std::string how = settings + std::string(", seed ") + std::to_string(seed);
    all.push_back({{"esm, " + how, "esm, trained with " + how, settings},
                   [config = config](const MapShape& s) { return std::make_unique<MapAgent>(s, config); }});
  }
  return all;
}

std::vector<benchmark::Claim> make_claims(const TrainedAgents& trained) {
  std::vector<benchmark::Claim> claims = {
      {"ESM beats the same map without refinement", {"esm"}, "k0", benchmark::Measure::success, 0},
      {"… and a random gate that goes as deep as often", {"esm"}, "random", benchmark::Measure::success, 0},
      {"… and the Euclidean metric", {"esm"}, "euclidean", benchmark::Measure::success, 0},
      {"… and the diagonal one", {"esm"}, "diagonal", benchmark::Measure::success, 0}};
  for (const Network& network : trained.networks) {
    claims.push_back({"ESM beats the network " + network.name, {"esm"}, network.name, benchmark::Measure::success, 0});
  }
  return claims;
}

}  // namespace elastane::maze
