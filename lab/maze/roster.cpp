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

constexpr std::pair<const char*, const char*> kMinds[] = {
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

Result<Walkers> load_walkers(const std::string& folder) {
  auto minds = load_minds(folder + "/maze.safetensors");
  if (!minds) return Error{minds.error()};
  Walkers walkers{.minds = *std::move(minds)};
  for (const auto& [name, what] : kNetworks) {
    const std::string path = folder + "/maze_" + name + ".safetensors";
    if (!std::filesystem::exists(path)) continue;
    auto model = load_network(path);
    if (!model) return Error{model.error()};
    walkers.networks.push_back({name, what, *std::move(model)});
  }
  const std::string prices = folder + "/maze_prices.safetensors";
  if (!std::filesystem::exists(prices)) return walkers;
  auto priced = load_priced_minds(prices);
  if (!priced) return Error{priced.error()};
  walkers.priced = *std::move(priced);
  return walkers;
}

std::vector<Entrant> line_up(const Walkers& walkers, const MapShape& shape) {
  std::vector<Entrant> all;
  all.push_back({{"replanner", "plans anew whenever it sees something new: the ceiling", ""},
                 [](const MapShape&) { return std::make_unique<ReplannerAgent>(); }});
  for (const auto& [name, what] : kMinds) {
    const Mind& mind = walkers.minds.at(name);
    all.push_back({{name, what, ""}, [mind](const MapShape& s) { return std::make_unique<MapAgent>(s, mind); }});
  }
  const Mind& esm = walkers.minds.at("esm");
  if (shape.moves == Moves::eight) return all;
  all.push_back({{"oracle_depth", "esm with the depth that turns out best", ""},
                 [esm](const MapShape& s) { return std::make_unique<OracleDepthAgent>(s, esm, kOraclePrice); }});
  for (const Network& network : walkers.networks) {
    const Model& model = network.model;
    all.push_back(
        {{network.name, network.what, ""}, [model](const MapShape&) { return std::make_unique<NetworkAgent>(model); }});
  }
  return all;
}

std::vector<Entrant> priced_line_up(const Walkers& walkers) {
  std::vector<Entrant> all;
  for (const auto& [price, seed, mind] : walkers.priced) {
    char settings[32];
    std::snprintf(settings, sizeof settings, "price %g", price);
    const std::string trained = settings + std::string(", seed ") + std::to_string(seed);
    all.push_back({{"esm, " + trained, "esm, trained with " + trained, settings},
                   [mind = mind](const MapShape& s) { return std::make_unique<MapAgent>(s, mind); }});
  }
  return all;
}

}  // namespace elastane::maze
