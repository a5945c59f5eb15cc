// lab/crowd/plan_latent.h: derivatives against outputs, and adjointness.
#include "lab/crowd/plan_latent.h"

#include <gtest/gtest.h>

#include "lab/crowd/walkers.h"
#include "tests/core/objective/laws.h"

namespace elastane::crowd {
namespace {

constexpr PlanShape kShape{.knots = 5, .hold = 2};

TEST(PlanLatent, ItsDerivativesAreAdjointAndThoseOfItsOutputs) {
  PlanLatent latent(kShape, kTimeStep);
  latent.begin({1, -2});
  Random random(1);
  const Vector z = normals(random, 10), q = normals(random, 10), w = normals(random, 20);
  Vector y(20), moved(20), jq(20), jtw(10);
  latent.linearise(z, y);
  latent.jvp({q.data(), 1, 10}, {jq.data(), 1, 20});
  latent.vjp({w.data(), 1, 20}, {jtw.data(), 1, 10});
  EXPECT_NEAR(elastane::dot(jq, w), elastane::dot(q, jtw), 1e-12);
  latent.output(plus(z, 1.0, q), moved);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(moved[i] - y[i], jq[i], 1e-12);
  EXPECT_NEAR(y[0], 1 + kTimeStep * z[0], 1e-12);
  EXPECT_NEAR(y[2], 1 + 2 * kTimeStep * z[0], 1e-12);
}

}  // namespace
}  // namespace elastane::crowd
