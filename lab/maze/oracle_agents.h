// Agents that know more than they are told: the re-planner as an agent, and one that knows which depth is best.
#pragma once

#include <optional>
#include <vector>

#include "lab/maze/lesson.h"

namespace elastane::maze {

class ReplannerAgent final : public Agent {
 public:
  void begin(const Task& task) override { expert_.begin(task); }
  int act(const Sight& sight) override {
    expert_.see(sight);
    return expert_.act();
  }

 private:
  Replanner expert_;
};

// Tries all depths and takes the one that a gate should have learned to take, by what comes of it. Only what it takes
// is counted.
class OracleDepthAgent final : public MapAgent {
 public:
  OracleDepthAgent(const MapShape& shape, const Mind& mind, double price);
  void begin(const Task& task) override;
  void watch(const Walk& walk) override { walk_.emplace(walk); }
  int act(const Sight& sight) override;

 private:
  double price_;
  std::vector<double> costs_, best_;  // of depths; the latent of the best
  DepthTrial trial_;
  Replanner expert_;
  std::optional<Walk> walk_;
};

}  // namespace elastane::maze
