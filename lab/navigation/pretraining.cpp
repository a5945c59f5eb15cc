#include "lab/navigation/pretraining.h"

#include "lab/navigation/environment.h"

namespace elastane::navigation {
namespace {

constexpr std::uint64_t kSite = 424242;  // not used by any benchmark
constexpr std::uint64_t kEpisodes = 4;

}  // namespace

void pretrain(StaticAgent& agent) {
  const RoutedSite site(random_site(kSite));
  for (std::uint64_t seed = 1; seed <= kEpisodes; ++seed) {
    Environment environment(site.site, draw_episode(site, {.mode = Mode::dragged}, seed));
    agent.begin();
    while (!environment.over()) environment.step(agent.act(environment.observe()));
  }
  agent.keep_metric();
}

}  // namespace elastane::navigation
