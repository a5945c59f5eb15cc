// Tests of elastane/core/corrector/point_pullback.h.
#include "elastane/core/corrector/point_pullback.h"

#include <gtest/gtest.h>

#include "tests/laws/latents.h"

namespace elastane {
namespace {

TEST(PointPullback, HasTheModelsJacobianAndTheObjectivesWeight) {
  constexpr int kD = 5, kM = 3;
  TanhLatent model(kD, 7, kM, 1);
  const SquaredError objective(Vector(kM, 0.0), 0.5);
  Vector z(kD, 0.3), y(kM), q(kD, 1.0), jq(kM), expected(kM), w(kM), wq(kM);
  model.linearise(z, y);
  PointPullback pullback(model, &objective, y);
  EXPECT_EQ(pullback.latents(), kD);
  EXPECT_EQ(pullback.outputs(), kM);
  pullback.jvp({q.data(), 1, kD}, {jq.data(), 1, kM});
  model.jvp({q.data(), 1, kD}, {expected.data(), 1, kM});
  EXPECT_EQ(jq, expected);
  pullback.weigh({jq.data(), 1, kM}, {wq.data(), 1, kM});
  objective.gauss_newton(y, {jq.data(), 1, kM}, {w.data(), 1, kM});
  EXPECT_EQ(wq, w);
}

}  // namespace
}  // namespace elastane
