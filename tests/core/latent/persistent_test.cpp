// Tests of elastane/core/latent/persistent.h: a correction with carried sensitivity is the Kalman update with the block
// prior; with a linear read-out and accumulated covariance it is recursive least squares.
#include "elastane/core/latent/persistent.h"

#include <gtest/gtest.h>

#include "elastane/core/corrector/corrector.h"
#include "tests/laws/workbench.h"

namespace elastane {
namespace {

CorrectorOptions one_whole_step(double latent_variance) {
  CorrectorOptions options;
  options.metric.kind = Metric::exact;
  options.metric.relative = false;
  options.metric.damping = 1 / latent_variance;
  options.trust.radius = options.trust.largest = 1e12;
  return options;
}

MatrixXd matrix_of(const LinearLatent& latent) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(latent.c.data(), latent.outputs(),
                                                                          latent.latents());
}

TEST(Persistent, CopiesAreEqualAndIndependent) {
  const int d = 6, m = 3, n = 2;
  LinearLatent inner(d, m, 1);
  PersistentLatent latent(d, m, n, n, {}, *kernels().value());
  Vector memory(latent.memory_doubles(d)), units(d), jq(m), expected(m);
  const auto bind = [&](PersistentLatent& to) {
    to.carve_memory(memory.data(), d);
    EXPECT_TRUE(to.begin(inner));
  };
  latent.carve_memory(memory.data(), d);
  latent.reset_memory();
  bind(latent);
  units[d - 1] = 1;
  latent.jvp({units.data(), 1, d}, {expected.data(), 1, m});
  PersistentLatent copy(latent);
  // the original continues with another covariance
  for (int i = 0; i < n; ++i) latent.memory.covariance[i][i] *= 9;
  bind(latent);
  copy.jvp({units.data(), 1, d}, {jq.data(), 1, m});
  EXPECT_EQ(jq, expected);
  latent.jvp({units.data(), 1, d}, {jq.data(), 1, m});
  for (int i = 0; i < m; ++i) EXPECT_DOUBLE_EQ(jq[i], 3 * expected[i]);
}

TEST(Persistent, CorrectionIsTheKalmanUpdateWithTheBlockPrior) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const int z = 5, n = 3, m = 4, d = z + n;
    LinearLatent inner(d, m, seed);
    Random random(seed + 100);
    PersistentOptions options{.latent_variance = 0.3, .variance = 0.2, .noise = 0};
    const Kernels& k = *kernels().value();
    PersistentLatent latent(d, m, n, n, options, k);
    Vector memory(latent.memory_doubles(d));
    latent.carve_memory(memory.data(), d);
    latent.reset_memory();
    // a covariance and a sensitivity as they could have come about
    MatrixXd root = MatrixXd::NullaryExpr(n, n, [&] { return random.normal(); });
    const MatrixXd pc = root * root.transpose() + 0.1 * MatrixXd::Identity(n, n);
    MatrixXd s(z, n);
    for (int i = 0; i < n; ++i) {
      latent.memory.c[i] = random.normal();
      for (int j = 0; j < n; ++j) latent.memory.covariance[i][j] = pc(i, j);
      for (int j = 0; j < z; ++j) s(j, i) = latent.memory.sensitivity[i][j] = random.normal();
    }
    const Eigen::VectorXd c0 = Eigen::Map<Eigen::VectorXd>(latent.memory.c, n);

    // the textbook: P⁻ = [[Pz + SPcSᵀ, SPc], [PcSᵀ, Pc]]
    const double weight = 2.5;
    const MatrixXd full = matrix_of(inner);
    MatrixXd prior(d, d);
    prior << options.latent_variance * MatrixXd::Identity(z, z) + s * pc * s.transpose(), s * pc, pc * s.transpose(),
        pc;
    const MatrixXd gain =
        prior * full.transpose() * inverse(full * prior * full.transpose() + MatrixXd::Identity(m, m) / weight);
    Eigen::VectorXd state(d), wanted(m);
    for (int i = 0; i < z; ++i) state[i] = random.normal();
    state.tail(n) = c0;
    for (int j = 0; j < m; ++j) wanted[j] = random.normal();
    const Eigen::VectorXd expected = state + gain * (wanted - full * state);
    const MatrixXd posterior = prior - gain * full * prior;

    ASSERT_TRUE(latent.begin(inner));
    Corrector corrector(one_whole_step(options.latent_variance), d, m, k);
    Vector kept(corrector.memory_doubles()), q(d, 0.0), y(m), zc(d);
    corrector.reset(kept.data());
    for (int i = 0; i < z; ++i) q[i] = state[i];
    const SquaredError objective(Vector(wanted.begin(), wanted.end()), weight);
    const StepReport report = corrector.correct(latent, objective, {}, q, y, kept.data());
    ASSERT_EQ(report.accepted, 1);
    EXPECT_NEAR(report.alpha, 1, 1e-9);
    latent.to_inner(q, zc);
    for (int i = 0; i < d; ++i) EXPECT_NEAR(zc[i], expected[i], 1e-9);

    // and what remains unknown: Pc⁺ = P⁺_cc, S⁺ = P⁺_zc Pc⁺⁻¹
    ASSERT_TRUE(latent.absorb(objective, y, report.alpha));
    const MatrixXd left = posterior.bottomRightCorner(n, n);
    const MatrixXd carried = posterior.topRightCorner(z, n) * inverse(left);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) EXPECT_NEAR(latent.memory.covariance[i][j], left(i, j), 1e-9);
      for (int j = 0; j < z; ++j) EXPECT_NEAR(latent.memory.sensitivity[i][j], carried(j, i), 1e-8);
    }
  }
}

// y = cᵀf with a new f in every step, and a latent that is hardly allowed to move
class Regression final : public LinearLatent {
 public:
  explicit Regression(int n) : LinearLatent(n + 1, 1, 1) { c.assign(static_cast<std::size_t>(n) + 1, 0.0); }
};

TEST(Persistent, WithALinearReadOutAndAccumulationItIsRecursiveLeastSquares) {
  const int n = 6, d = n + 1;
  Regression inner(n);
  PersistentOptions options{.latent_variance = 1e-9, .variance = 4.0, .noise = 0};
  const Kernels& k = *kernels().value();
  PersistentLatent latent(d, 1, n, n, options, k);
  Vector memory(latent.memory_doubles(d));
  latent.carve_memory(memory.data(), d);
  latent.reset_memory();
  Corrector corrector(one_whole_step(options.latent_variance), d, 1, k);
  Vector kept(corrector.memory_doubles()), zc(d), y(1);
  corrector.reset(kept.data());

  MatrixXd p = options.variance * MatrixXd::Identity(n, n);
  Eigen::VectorXd theta = Eigen::VectorXd::Zero(n);
  Random random(3);
  for (int t = 0; t < 300; ++t) {
    Eigen::VectorXd f(n);
    for (int i = 0; i < n; ++i) inner.c[static_cast<std::size_t>(i) + 1] = f[i] = random.normal();
    const double label = 3 * f[0] - f[2] + 0.1 * random.normal();

    const Eigen::VectorXd gain = p * f / (f.dot(p * f) + 1.0);  // recursive least squares
    theta += gain * (label - f.dot(theta));
    p -= gain * (p * f).transpose();

    latent.leak();
    ASSERT_TRUE(latent.begin(inner));
    Vector q(d, 0.0);
    const SquaredError objective({label});
    const StepReport report = corrector.correct(latent, objective, {}, q, y, kept.data());
    if (report.accepted > 0) {
      latent.to_inner(q, zc);
      // J and S are taken at the point of the correction, which a linear read-out does not notice
      ASSERT_TRUE(latent.absorb(objective, y, report.alpha));
      for (int i = 0; i < n; ++i) latent.memory.c[i] = zc[1 + i];
    }
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(latent.memory.c[i], theta[i], 1e-9);
      for (int j = 0; j < n; ++j) EXPECT_NEAR(latent.memory.covariance[i][j], p(i, j), 1e-9);
    }
  }
  EXPECT_NEAR(theta[0], 3, 0.05);
}

}  // namespace
}  // namespace elastane
