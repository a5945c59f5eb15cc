// An agent with a map as its latent: it writes its observation to the map, the corrector refines the map as deep as the
// gate allows, and a head scores the moves. All maze agents with a map are of this class; they differ in gate, metric and
// head.
#pragma once

#include <optional>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/corrector/depth_trial.h"
#include "lab/maze/agent.h"
#include "lab/maze/expert.h"
#include "lab/maze/head.h"
#include "lab/maze/objective.h"

namespace elastane::maze {

inline constexpr int kDepth = 4;  // K_max

// what such agents differ in
struct AgentConfig {
  Metric metric = Metric::native;
  GateOptions gate;
  LearnedGate learned = {};
  Head head = {};
};
CorrectorOptions corrector_options(const AgentConfig& config);

struct MapShape {
  int width = 0, height = 0;
  Moves moves = Moves::four;
};

class MapAgent : public Agent {
 public:
  MapAgent(const MapShape& shape, const AgentConfig& config);
  MapAgent(const MapAgent&) = delete;  // the map may hold a view of its own latent
  MapAgent& operator=(const MapAgent&) = delete;

  void begin(const Episode& episode) override;
  int act(const Observation& observation) override;

  // the parts of act, in this order
  void observe(const Observation& observation);
  void refine();
  int decide(const Observation& observation);

  const AgentConfig& config() const { return config_; }
  MapLatent& map() { return map_; }
  const MapLatent& map() const { return map_; }
  const MapObjective& objective() const { return objective_; }
  const Corrector& corrector() const { return *corrector_; }
  const double* memory() const { return memory_.data(); }
  std::int64_t most_macs() const;  // upper bound of a step, except the first

 protected:
  AgentConfig config_;
  MapShape shape_;
  MapLatent map_;
  MapObjective objective_;
  std::optional<Corrector> corrector_;
  std::vector<double> memory_, y_;  // of the corrector; outputs of the map
  bool begun_ = false;
};

}  // namespace elastane::maze
