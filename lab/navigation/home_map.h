// A map that an agent with a policy asks how far it is home: always, or only when its proposals do not get it there.
//
//   stall        in 16 steps it came less far than a third of what it could have driven
//   refutation   three proposals in a row led through obstacles that the map knows
//
// The map itself is kept up in every step, but its distances are corrected only when they are asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/navigation/geodesic_latent.h"
#include "lab/navigation/objective.h"

namespace elastane::navigation {

// corrects the distances of a map by the residual of the path
class MapCorrector {
 public:
  MapCorrector(const SiteMap& map, double tolerance);
  void begin();
  StepReport correct();
  GeodesicLatent& latent() { return latent_; }
  const GeodesicLatent& latent() const { return latent_; }

 private:
  GeodesicLatent latent_;
  PathResidual objective_;
  Corrector corrector_;
  std::vector<double> memory_, output_;
};

enum class AskMap : std::uint8_t { always, stalled, refuted };

struct HomeMapOptions {
  int cells = 48;          // per unit of length
  double tolerance = 0.5;  // by which a cell of the path may become dearer
  AskMap when = AskMap::always;
  int ask_for = 40;  // steps, unless it is always asked
};

class HomeMap final : public HomeDistance {
 public:
  explicit HomeMap(const HomeMapOptions& options);
  HomeMap(const HomeMap&) = delete;  // the distances view the map beside them
  HomeMap& operator=(const HomeMap&) = delete;

  void begin();
  // A new step, in which the policy proposed this path. Is the map asked? If so, its distances are right after this.
  bool observe(const Observation& observation, std::span<const Vec2> proposed);
  const StepReport& report() const { return report_; }  // of correcting the distances
  Value home(Vec2 p) const override;
  const SiteMap& map() const { return map_; }

 private:
  bool is_stalled();
  bool is_refuted(std::span<const Vec2> proposed);

  HomeMapOptions options_;
  SiteMap map_;
  MapCorrector corrector_;
  StepReport report_;
  std::vector<Vec2> places_;  // of the last steps, a ring
  int steps_ = 0, refuted_ = 0, asking_ = 0;
};

}  // namespace elastane::navigation
