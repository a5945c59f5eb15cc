// Agents with a map of the site, built from their own rays. None knows the site beforehand.
//
//   MapAgent          the control, without a network: plans over the map when its path is refuted, and polishes the first
//                     waypoints by receding-horizon control
//   MapLatentAgent    the same path as a corrected latent: the engine's corrector and gate decide when to solve
//   PolicyMapAgent    a policy whose latent is corrected by the cost of its path, which includes the distance home over
//                     such a map
//   PathMapAgent      the same cost corrects the proposed path itself
//   SweepMapAgent     the same with receding-horizon control of its first waypoints
#pragma once

#include <vector>

#include "elastane/planners/mpc.h"
#include "lab/navigation/home_map.h"
#include "lab/navigation/planner_agents.h"

namespace elastane::navigation {

struct MapAgentOptions {
  int cells = 48;           // per unit of length
  double tolerance = 0.5;   // by which a cell of the path may become dearer
  bool room_of_map = true;  // the sweeps keep clear of the map; false: of the rays of this step
  planners::IlqrOptions sweeps = {.horizon = 3, .sweeps = 5};
  CostWeights weights = {.leave = 0.05};
  FilterOptions filter = {.margin = 0.004, .pace = 0.5};  // of the command, by map and rays; a margin of 0: none
  double room = 0.002;                                    // that a filtered command leaves around the body
};

class MapAgent : public Agent {
 public:
  explicit MapAgent(const MapAgentOptions& options);
  MapAgent(const MapAgent&) = delete;  // path and distances view the map beside them
  MapAgent& operator=(const MapAgent&) = delete;

  void begin() override;
  Vec2 act(const Observation& observation) override;

  int plans() const { return plans_; }  // since begin

 protected:
  // the path home from here, planned again if it must be
  virtual std::array<Vec2, kWaypoints> plan();

  MapAgentOptions options_;
  SiteMap map_;
  int plans_ = 0;

 private:
  Geodesic geodesic_;
  std::vector<double> distance_;
  MapPath home_path_;
  ObstacleMap obstacles_;
  PathSweep sweep_;
};

class MapLatentAgent final : public MapAgent {
 public:
  explicit MapLatentAgent(const MapAgentOptions& options);
  void begin() override;

 private:
  std::array<Vec2, kWaypoints> plan() override;
  MapCorrector corrector_;
};

struct PolicyMapOptions {
  CorrectorOptions corrector;
  double fade = 0;
  CostWeights weights;
  bool full_speed = true;  // drives as fast as it can along the corrected path
  HomeMapOptions map;
};

class PolicyMapAgent final : public FrozenAgent {
 public:
  PolicyMapAgent(const Model& policy, const PolicyMapOptions& options);
  void begin() override;
  Vec2 act(const Observation& observation) override;

 private:
  bool full_speed_;
  HomeMap map_;
  PathObjective objective_;
};

class PathMapAgent final : public FrozenAgent {
 public:
  PathMapAgent(const Model& policy, const PolicyMapOptions& options);
  void begin() override;
  Vec2 act(const Observation& observation) override;

 private:
  bool full_speed_;
  HomeMap map_;
  PathObjective objective_;
  PathCorrector corrector_;
};

struct SweepMapOptions {
  planners::IlqrOptions sweeps;
  CostWeights weights;
  HomeMapOptions map;
};

class SweepMapAgent final : public FrozenAgent {
 public:
  SweepMapAgent(const Model& policy, const SweepMapOptions& options);
  void begin() override;
  Vec2 act(const Observation& observation) override;

 private:
  HomeMap map_;
  PathSweep sweep_;
};

}  // namespace elastane::navigation
