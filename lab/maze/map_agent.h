// An agent with a map as its latent: it writes what it sees, the corrector refines it as its gate says, and a head
// reads off a move. All agents of the maze that have a map are this one, with other gates, metrics and heads.
#pragma once

#include <optional>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/corrector/depth_trial.h"
#include "lab/maze/agent.h"
#include "lab/maze/expert.h"
#include "lab/maze/head.h"
#include "lab/maze/map_objective.h"

namespace elastane::maze {

inline constexpr int kDepth = 4;  // K_max

// how it thinks
struct Mind {
  Metric metric = Metric::native;
  GateOptions gate;
  LearnedGate learned = {};
  Head head = {};
};
CorrectorOptions corrector_options(const Mind& mind);

struct MapShape {
  int width = 0, height = 0;
  Moves moves = Moves::four;
};

class MapAgent : public Agent {
 public:
  MapAgent(const MapShape& shape, const Mind& mind);
  MapAgent(const MapAgent&) = delete;  // the map's point may be its own latent
  MapAgent& operator=(const MapAgent&) = delete;

  void begin(const Task& task) override;
  int act(const Sight& sight) override;

  // the parts of act: see, refine, decide
  void see(const Sight& sight);
  void refine();
  int decide(const Sight& sight);

  const Mind& mind() const { return mind_; }
  MapLatent& map() { return map_; }
  const MapLatent& map() const { return map_; }
  const MapObjective& objective() const { return objective_; }
  const Corrector& corrector() const { return *corrector_; }
  const double* memory() const { return memory_.data(); }
  std::int64_t most_macs() const;  // of a step, but for the first

 protected:
  Mind mind_;
  MapShape shape_;
  MapLatent map_;
  MapObjective objective_;
  std::optional<Corrector> corrector_;
  std::vector<double> memory_, y_;  // the corrector's; outputs
  bool begun_ = false;
};

}  // namespace elastane::maze
