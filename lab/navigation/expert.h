// The expert: a planner with full knowledge of site, route and disturbance. Policies imitate it. As the oracle, which
// plans again after every change, it bounds what any agent can reach.
#pragma once

#include <memory>
#include <span>

#include "lab/navigation/environment.h"

namespace elastane::navigation {

// the command that moves the robot along the route under this disturbance
Vec2 expert_command(const Site& site, const Route& route, Vec2 at, const Disturbance& disturbance);

// where the expert's next commands lead: path[k] is their sum after (k + 1)·stride steps
void expert_path(const Site& site, const Route& route, Vec2 at, const Disturbance& disturbance, int stride,
                 std::span<Vec2> path);

// plans on the site as it is now, and again whenever it has changed
class Oracle {
 public:
  explicit Oracle(const RoutedSite& site) : route_(std::make_shared<Route>(site.route)) {}
  Vec2 act(const Environment& environment);
  const Route& route() const { return *route_; }  // as planned last

 private:
  std::shared_ptr<const Route> route_;
  int planned_at_ = 0;
};

// steps that the oracle needs; the limit if it does not come home
int best_steps(const RoutedSite& site, const Episode& episode);

}  // namespace elastane::navigation
