// The minds of the maze's agents that have a map: what tells them apart, and the file that holds what they learned.
//
//   esm          the gate is learned
//   k0           nothing is ever refined                  uniform_1, uniform_4   every step is, so often at most
//   random       drawn from esm's histogram of depths     kappa                  where κ is above a threshold
//   euclidean    every step, along the gradient           diagonal               along the gradient over variances
//
// Every one of them has a head of its own, trained where it goes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/maze/map_agent.h"

namespace elastane::maze {

inline constexpr const char* kMindNames[] = {"esm",    "k0",    "uniform_1", "uniform_4",
                                             "random", "kappa", "euclidean", "diagonal"};

// as it is before it learned anything
Mind plain_mind(const std::string& name);

using Minds = std::map<std::string, Mind>;
Result<std::vector<std::byte>> format_minds(const Minds& minds, std::map<std::string, std::string> metadata = {});
Result<Minds> parse_minds(std::span<const std::byte> bytes, const std::string& source);
Result<Minds> load_minds(const std::string& path);

// esm once more, trained with another price of a micro-step or another seed: the curve of success against compute
struct PricedMind {
  double price = 0;
  int seed = 1;
  Mind mind;
};
Result<std::vector<std::byte>> format_priced_minds(const std::vector<PricedMind>& minds,
                                                   std::map<std::string, std::string> metadata = {});
Result<std::vector<PricedMind>> parse_priced_minds(std::span<const std::byte> bytes, const std::string& source);
Result<std::vector<PricedMind>> load_priced_minds(const std::string& path);

}  // namespace elastane::maze
