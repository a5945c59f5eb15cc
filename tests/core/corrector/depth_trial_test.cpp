// Tests of elastane/core/corrector/depth_trial.h, and of what drift does over depths (correction_run_trial.cpp).
#include <gtest/gtest.h>

#include "elastane/core/corrector/depth_trial.h"
#include "tests/laws/gated_run.h"

namespace elastane {
namespace {

TEST(DepthTrial, ComesToWhatACorrectorOfThatDepthComesTo) {
  TanhLatent model(kD, 6, kM, 3, 2.0);
  for (const Metric metric : {Metric::euclidean, Metric::exact, Metric::sketch, Metric::kalman}) {
    for (const double drift : {0.0, 0.1}) {
      CorrectorOptions options = {.metric = {.kind = metric, .rank = 3}, .gate = {.depth = 4}};
      options.retraction.drift = drift;
      DepthTrial trial(options, kD, kM, *kernels(test_isa()).value());
      Random random(6);
      for (int t = 0; t < 30; ++t) {
        const SquaredError objective(random_point(random, kM));
        const Vector z = random_point(random, kD);
        LoneCorrector start(options, model);
        int visited = 0;
        trial.run(model, objective, z, start.memory.data(), [&](int depth, auto at, auto y) {
          EXPECT_EQ(depth, visited++);
          CorrectorOptions deep = options;
          deep.gate.depth = depth;
          LoneCorrector lone(deep, model);
          Vector moved = z;
          lone.correct(model, objective, moved);
          EXPECT_EQ(moved, Vector(at.begin(), at.end())) << name(metric) << ", depth " << depth;
          EXPECT_EQ(lone.y, Vector(y.begin(), y.end()));
        });
        EXPECT_EQ(visited, 5);
      }
    }
  }
}

TEST(Drift, HoldsALatentNearerToWhatWasProposed) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  Random random(6);
  double free = 0, held = 0;
  for (int t = 0; t < 50; ++t) {
    const SquaredError objective(random_point(random, kM));
    const Vector start = random_point(random, kD, 0.3);
    for (const double drift : {0.0, 0.2}) {
      CorrectorOptions options = {.metric = {.kind = Metric::euclidean}, .gate = {.depth = 6}};
      options.retraction.drift = drift;
      LoneCorrector lone(options, model);
      Vector z = start;
      const StepReport report = lone.correct(model, objective, z);
      EXPECT_LE(report.loss_after, report.loss_before);
      double away = 0;
      for (int i = 0; i < kD; ++i) away += (z[i] - start[i]) * (z[i] - start[i]);
      (drift > 0 ? held : free) += away;
    }
  }
  EXPECT_LT(held, 0.9 * free);
}

}  // namespace
}  // namespace elastane
