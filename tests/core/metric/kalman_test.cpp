// Tests of elastane/core/metric/kalman.cpp, exact.cpp and of latents with a solve of their own: on a linear-Gaussian
// latent a correction is the Kalman update.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

// ½(y − t)ᵀW(y − t)
class WeightedError final : public Objective {
 public:
  WeightedError(Vector goal, MatrixXd weight) : target(std::move(goal)), w(std::move(weight)) {}
  double value(std::span<const double> y) const override { return 0.5 * miss(y).dot(w * miss(y)); }
  void gradient(std::span<const double> y, std::span<double> out) const override {
    const VectorXd s = w * miss(y);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = s[i];
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    for (int r = 0; r < u.count; ++r) {
      const VectorXd product = w * as_eigen(std::span(u[r], y.size()));
      for (std::size_t i = 0; i < y.size(); ++i) wu[r][i] = product[i];
    }
  }
  bool diagonal(std::span<const double>, std::span<double> out) const override {
    if (!is_diagonal) return false;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = w(i, i);
    return true;
  }
  bool empty() const override { return is_missing; }

  Vector target;
  MatrixXd w;
  bool is_diagonal = false, is_missing = false;

 private:
  VectorXd miss(std::span<const double> y) const { return as_eigen(y) - as_eigen(target); }
};

// the textbook: x ← Fx, P ← FPFᵀ + Q; K = PCᵀ(CPCᵀ + R)⁻¹, x ← x + K(y − Cx), P ← (I − KC)P
struct Filter {
  void predict(const MatrixXd& f, const MatrixXd& q) {
    x = f * x;
    p = f * p * f.transpose() + q;
  }
  void update(const MatrixXd& c, const MatrixXd& r, const VectorXd& y) {
    const MatrixXd gain = p * c.transpose() * inverse(c * p * c.transpose() + r);
    x += gain * (y - c * x);
    p = (MatrixXd::Identity(x.size(), x.size()) - gain * c) * p;
  }
  VectorXd x;
  MatrixXd p;
};

MatrixXd random_covariance(Random& random, int n) { return random_weight(random, n); }

TEST(KalmanUpdate, IsTheCorrectionOfALatentThatSolvesForItself) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed, 1000);
    GaussianLatent model(6, 4, seed);
    model.p = random_covariance(random, 6);
    const MatrixXd r = random_covariance(random, 4);
    const WeightedError objective(random_point(random, 4), inverse(r));
    LoneCorrector lone({.metric = {.kind = Metric::native}}, model);
    Vector z = random_point(random, 6);
    Filter filter = {as_eigen(z), model.p};
    filter.update(model.decoder(), r, as_eigen(objective.target));
    const StepReport report = lone.correct(model, objective, z);
    ASSERT_EQ(report.stop, Stop::completed);
    EXPECT_EQ(report.alpha, 1.0);
    EXPECT_LE((as_eigen(z) - filter.x).norm(), 1e-10 * filter.x.norm()) << seed;
  }
}

TEST(KalmanUpdate, WithAnEvenPriorIsTheCorrectionInTheExactMetric) {
  for (const auto& [d, m] : {std::pair(6, 4), {4, 6}, {9, 1}}) {
    for (const bool diagonal : {true, false}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Random random(seed, 1000);
        GaussianLatent model(d, m, seed);
        const double lambda = std::exp(random.uniform(-3, 3));
        MatrixXd w = inverse(random_covariance(random, m));
        if (diagonal) w = MatrixXd(w.diagonal().asDiagonal());
        WeightedError objective(random_point(random, m), w);
        objective.is_diagonal = diagonal;
        LoneCorrector lone({.metric = {.kind = Metric::exact, .damping = lambda, .relative = false},
                            .trust = {.radius = 1e9, .largest = 1e9}},
                           model);
        Vector z = random_point(random, d);
        Filter filter = {as_eigen(z), MatrixXd::Identity(d, d) / lambda};
        filter.update(model.decoder(), inverse(w), as_eigen(objective.target));
        ASSERT_EQ(lone.correct(model, objective, z).stop, Stop::completed);
        EXPECT_LE((as_eigen(z) - filter.x).norm(), 1e-10 * filter.x.norm()) << d << ", " << m << ", seed " << seed;
      }
    }
  }
}

enum class Dynamics : std::uint8_t { diagonal, pairs, dense };

class KalmanFilter : public testing::TestWithParam<std::tuple<Dynamics, bool>> {};

std::string name_of(const testing::TestParamInfo<std::tuple<Dynamics, bool>>& test) {
  constexpr const char* kNames[] = {"diagonal", "pairs", "dense"};
  const auto& [dynamics, diagonal] = test.param;
  return std::string(kNames[static_cast<int>(dynamics)]) + (diagonal ? "_diagonal_weight" : "_full_weight");
}

INSTANTIATE_TEST_SUITE_P(DynamicsAndWeight, KalmanFilter,
                         testing::Combine(testing::Values(Dynamics::diagonal, Dynamics::pairs, Dynamics::dense),
                                          testing::Bool()),
                         name_of);

TEST_P(KalmanFilter, IsWhatTheKalmanMetricCarriesFromStepToStep) {
  constexpr int kD = 6, kM = 3;
  const auto [dynamics, diagonal] = GetParam();
  Random random(7);
  GaussianLatent model(kD, kM, 3);

  // F, and how it is given
  Vector given(kD), noise(kD);
  for (double& value : given) value = random.uniform(-0.7, 0.95);
  for (double& value : noise) value = random.uniform(0.01, 0.2);
  MatrixXd f = as_eigen(given).asDiagonal();
  if (dynamics == Dynamics::pairs) {
    const MatrixXd re = f.topLeftCorner(kD / 2, kD / 2), im = f.bottomRightCorner(kD / 2, kD / 2);
    f << re, -im, im, re;
  } else if (dynamics == Dynamics::dense) {
    f = 0.9 * random_orthogonal(random, kD);
  }
  const MatrixXd q = as_eigen(noise).asDiagonal();
  Vector rows(static_cast<std::size_t>(kD) * double_stride(kD)), scratch(rows.size());
  for (int j = 0; j < kD; ++j) {
    for (int i = 0; i < kD; ++i) rows[static_cast<std::size_t>(j) * double_stride(kD) + i] = f(i, j);
  }

  MatrixXd w = inverse(random_covariance(random, kM));
  if (diagonal) w = MatrixXd(w.diagonal().asDiagonal());
  WeightedError objective(Vector(kM, 0.0), w);
  objective.is_diagonal = diagonal;
  LoneCorrector lone({.metric = {.kind = Metric::kalman, .prior_variance = 2.0}}, model);
  Vector z = random_point(random, kD);
  Filter filter = {as_eigen(z), 2.0 * MatrixXd::Identity(kD, kD)};
  Geometry& geometry = lone.corrector.geometry();
  int agreed = 0;
  for (int t = 0; t < 200; ++t) {
    const VectorXd advanced = f * as_eigen(z);
    z.assign(advanced.data(), advanced.data() + kD);
    switch (dynamics) {
      case Dynamics::diagonal: geometry.predict_diagonal(given, noise); break;
      case Dynamics::pairs: geometry.predict_pairs(given, noise); break;
      case Dynamics::dense:
        geometry.predict_dense({rows.data(), kD, double_stride(kD)}, {scratch.data(), kD, double_stride(kD)}, noise);
        break;
    }
    filter.predict(f, q);

    // now and then the observation is missing; or it says just what the output says, which teaches no less
    objective.is_missing = t % 11 == 10;
    objective.target = random_point(random, kM);
    if (t % 7 == 6) model.output(z, objective.target);
    const StepReport report = lone.correct(model, objective, z);
    if (!objective.is_missing) filter.update(model.decoder(), inverse(w), as_eigen(objective.target));
    ASSERT_EQ(report.stop, objective.is_missing ? Stop::nothing_observed
                           : t % 7 == 6         ? Stop::zero_gradient
                                                : Stop::completed)
        << t;
    agreed += report.stop == Stop::zero_gradient ? 1 : 0;

    ASSERT_LE((as_eigen(z) - filter.x).norm(), 1e-9 * (1 + filter.x.norm())) << "step " << t;
    const MatrixXd p = as_eigen(geometry.memory.covariance, kD);
    ASSERT_LE((p - filter.p).norm(), 1e-9 * filter.p.norm()) << "step " << t;
    ASSERT_LE((p - p.transpose()).norm(), 1e-14 * p.norm());
  }
  EXPECT_GT(agreed, 20);
}

TEST(KalmanCovariance, CountsAnObservationThatAgreesButForRounding) {
  // less to gain than rounding shows: the correction has converged before it began, P shrinks nonetheless
  GaussianLatent model(4, 2, 5);
  WeightedError objective(Vector(2, 0.0), MatrixXd::Identity(2, 2));
  LoneCorrector lone({.metric = {.kind = Metric::kalman}}, model);
  Random random(9);
  Vector z = random_point(random, 4);
  model.output(z, objective.target);
  objective.target[0] += 1e-9;
  Filter filter = {as_eigen(z), MatrixXd::Identity(4, 4)};
  filter.update(model.decoder(), MatrixXd::Identity(2, 2), as_eigen(objective.target));
  EXPECT_EQ(lone.correct(model, objective, z).stop, Stop::converged);
  EXPECT_LE((as_eigen(lone.corrector.geometry().memory.covariance, 4) - filter.p).norm(), 1e-9);
}

TEST(KalmanCovariance, CountsAnObservationOnceWhateverTheDepth) {
  GaussianLatent model(4, 2, 5);
  Random random(9);
  const WeightedError objective(random_point(random, 2), MatrixXd::Identity(2, 2));
  LoneCorrector once({.metric = {.kind = Metric::kalman}}, model);
  LoneCorrector deep({.metric = {.kind = Metric::kalman}, .gate = {.depth = 5}}, model);
  LoneCorrector never({.metric = {.kind = Metric::kalman}, .gate = {.depth = 0}}, model);
  Vector z = random_point(random, 4), z_deep = z, z_never = z;
  once.correct(model, objective, z);
  EXPECT_EQ(deep.correct(model, objective, z_deep).depth, 1);
  EXPECT_EQ(never.correct(model, objective, z_never).depth, 0);
  EXPECT_EQ(z, z_deep);
  EXPECT_EQ(once.memory, deep.memory);
}

// the corrector's own predict: with a dense F and Q, and with process_noise where no Q is given
TEST(KalmanUpdate, PredictsAsTheTextbookDoes) {
  constexpr int d = 5, m = 2;
  for (const bool given : {true, false}) {
    Random random(7, given ? 1 : 2);
    LinearLatent model(d, m, 3);
    LoneCorrector lone({.metric = {.kind = Metric::kalman, .process_noise = 0.03, .prior_variance = 2},
                        .trust = {.radius = 1e6, .largest = 1e7}},
                       model);
    MatrixXd c(m, d);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < d; ++j) c(i, j) = model.c[static_cast<std::size_t>(i) * d + j];
    }
    Filter filter{.x = VectorXd::Zero(d), .p = 2 * MatrixXd::Identity(d, d)};
    Vector z(d, 0.0);
    for (int t = 0; t < 20; ++t) {
      const MatrixXd f = MatrixXd::Identity(d, d) + 0.3 * MatrixXd::Random(d, d);
      const MatrixXd q =
          given ? MatrixXd(0.1 * random_covariance(random, d)) : MatrixXd(0.03 * MatrixXd::Identity(d, d));
      filter.predict(f, q);
      const VectorXd moved = f * as_eigen(z);
      for (int i = 0; i < d; ++i) z[static_cast<std::size_t>(i)] = moved[i];
      const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> rows_f = f, rows_q = q;
      const ConstDoubleRows by_f{rows_f.data(), d, d}, by_q{rows_q.data(), d, d};
      given ? lone.corrector.predict(by_f, by_q, lone.memory.data()) : lone.corrector.predict(by_f, lone.memory.data());
      Vector label(m);
      for (double& v : label) v = random.normal();
      filter.update(c, 0.25 * MatrixXd::Identity(m, m), as_eigen(label));
      lone.correct(model, SquaredError(label, 4.0), z);
      for (int i = 0; i < d; ++i) ASSERT_NEAR(z[static_cast<std::size_t>(i)], filter.x[i], 1e-8) << t;
    }
  }
}

}  // namespace
}  // namespace elastane
