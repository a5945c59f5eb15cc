#include "lab/navigation/expert.h"

namespace elastane::navigation {
namespace {

constexpr int kReplanEvery = 8;  // steps, if obstacles move

}  // namespace

Vec2 expert_command(const Site& site, const Route& route, Vec2 at, const Disturbance& disturbance) {
  const Vec2 step = route.advance(at) - at;  // without a disturbance
  const Vec2 wanted = step - disturbance.wind;
  return limited(wanted * (site.effort(at, wanted) / disturbance.strength), kSpeed);
}

void expert_path(const Site& site, const Route& route, Vec2 at, const Disturbance& disturbance, int stride,
                 std::span<Vec2> path) {
  Vec2 sum, p = at;
  for (Vec2& waypoint : path) {
    for (int i = 0; i < stride; ++i) {
      const Vec2 command = expert_command(site, route, p, disturbance);
      sum += command;
      p += command * (disturbance.strength / site.effort(p, command)) + disturbance.wind;
    }
    waypoint = sum;
  }
}

Vec2 Oracle::act(const Environment& environment) {
  const Episode& episode = environment.episode();
  const int step = environment.steps();
  const bool changed = places_crate(episode.mode) && step >= episode.change_at && planned_at_ < episode.change_at;
  const bool moves = !episode.patrols.empty() && step >= planned_at_ + kReplanEvery;
  if (changed || moves) {
    route_ = std::make_shared<Route>(environment.site());
    planned_at_ = step;
  }
  return expert_command(environment.site(), *route_, environment.position(), environment.disturbance());
}

int best_steps(const RoutedSite& site, const Episode& episode) {
  Environment environment(site.site, episode);
  Oracle oracle(site);
  while (!environment.over()) environment.step(oracle.act(environment));
  return environment.arrived() ? environment.steps() : episode.limit;
}

}  // namespace elastane::navigation
