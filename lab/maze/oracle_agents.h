// Upper bounds: the expert as an agent, and an agent that knows which depth is best.
#pragma once

#include <optional>
#include <vector>

#include "lab/maze/examples.h"

namespace elastane::maze {

class ReplannerAgent final : public Agent {
 public:
  void begin(const Episode& episode) override {
    expert_.begin(episode);
    counted_ = 0;
    moves_ = episode.moves;
  }
  // an expansion looks at every neighbour once, as a step of the map's own search does
  int act(const Observation& observation) override {
    expert_.observe(observation);
    report_ = {};
    report_.macs[static_cast<int>(Stage::solve)] = (expert_.expansions() - counted_) * move_count(moves_);
    counted_ = expert_.expansions();
    return expert_.act();
  }

 private:
  Expert expert_;
  std::int64_t counted_ = 0;
  Moves moves_ = Moves::four;
};

// Tries all depths and takes the one with the lowest loss and price, which is what a gate should learn. Only the cost of
// the depth that it takes is counted.
class OracleDepthAgent final : public MapAgent {
 public:
  OracleDepthAgent(const MapShape& shape, const AgentConfig& config, double price);
  void begin(const Episode& episode) override;
  void watch(const Environment& environment) override { environment_.emplace(environment); }
  int act(const Observation& observation) override;

 private:
  double price_;
  std::vector<double> costs_, best_;  // cost of each depth; the latent at the best depth
  DepthTrial trial_;
  Expert expert_;
  std::optional<Environment> environment_;
};

}  // namespace elastane::maze
