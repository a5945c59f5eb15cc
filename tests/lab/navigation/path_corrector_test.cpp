// lab/navigation/path_corrector.h: a corrected path costs no more than the proposal.
#include "lab/navigation/path_corrector.h"

#include <gtest/gtest.h>

#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

TEST(PathCorrector, LowersTheCostOfABadPath) {
  CorrectorOptions options;
  options.metric = {.kind = Metric::exact, .damping = 1e-3};
  options.gate.depth = 3;
  options.trust.radius = 2;
  PathCorrector corrector(options);
  const Environment environment(a_site().site, draw_episode(a_site(), {}, 1));
  const Observation observation = environment.observe();
  ObstacleMap obstacles;
  obstacles.observe(observation);
  std::vector<float> proposed(kOutputs, 0.0F);  // a path that stands still
  for (int k = 0; k < kWaypoints; ++k) proposed[2 * static_cast<std::size_t>(k)] = 0.01F * static_cast<float>(k + 1);
  PathObjective objective({});
  objective.begin(obstacles, observation.goal, proposed);
  const StepReport report = corrector.correct(objective, proposed);
  EXPECT_LT(report.loss_after, report.loss_before);
  std::vector<double> y(kOutputs, 0.0);
  std::copy(corrector.path().begin(), corrector.path().end(), y.begin());
  EXPECT_NEAR(objective.value(y), report.loss_after, 1e-9);
}

}  // namespace
}  // namespace elastane::navigation
