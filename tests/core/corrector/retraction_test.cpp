// Tests of elastane/core/corrector/retraction.h: how far retractions are from geodesics (G6), and the domains.
#include "elastane/core/corrector/retraction.h"

#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr int kD = 5, kM = 4;
constexpr double kLambda = 0.3;

// G(z) = λI + JᵀWJ for a decoder and constant W, with retractions and geodesics from a point
class Field {
 public:
  Field(std::uint64_t seed, Metric kind)
      : model(kD, 9, kM, seed, 1.5),
        objective(Vector(kM, 0.0), 0.7),
        z(start(seed)),
        y_(kM),
        metric({.kind = kind, .damping = kLambda, .relative = false, .rank = 3, .products = 3 * kD}, kD, kM),
        at_(model, &objective, y_) {}

  double length(const VectorXd& delta) {
    return std::sqrt(kLambda * delta.squaredNorm() + objective.weight * (jacobian_at(model, z) * delta).squaredNorm());
  }

  VectorXd retract(Retraction kind, const VectorXd& delta, double alpha = 1) {
    const MatrixXd j = jacobian_at(model, z);
    model.linearise(z, y_);
    const VectorXd a = padded(j * delta), v = padded(delta), gradient = j.transpose() * VectorXd::Ones(kM);
    EXPECT_TRUE(metric.prepare(at_, gradient));
    Vector bend(double_stride(kD)), pull(double_stride(kD)), path(8), jet(8), lag(8), trial(kD), moved(kM);
    const RetractionArrays out = {trial,
                                  moved,
                                  std::span(bend).first(kD),
                                  std::span(pull).first(kD),
                                  std::span(path).first(kM),
                                  std::span(jet).first(kM),
                                  std::span(lag).first(kM)};
    const Ray ray = {z, std::span(v.data(), kD), std::span(a.data(), kM), alpha};
    bent = elastane::retract({.kind = kind}, at_, metric.geometry, ray, out);
    Vector expected(kM);
    model.output(trial, expected);
    EXPECT_EQ(moved, expected) << "the outputs are those of the trial";
    return as_eigen(trial);
  }

  // z̈ = −Γ[ż, ż] = −G⁻¹JᵀW D²g[ż, ż], from z along delta for unit time (Runge and Kutta)
  VectorXd geodesic(const VectorXd& delta) {
    VectorXd x = as_eigen(z), u = delta;
    constexpr int kSteps = 60;
    constexpr double h = 1.0 / kSteps;
    for (int i = 0; i < kSteps; ++i) {
      const VectorXd a1 = bending(x, u), a2 = bending(x + h / 2 * u, u + h / 2 * a1);
      const VectorXd a3 = bending(x + h / 2 * u + h * h / 4 * a1, u + h / 2 * a2);
      const VectorXd a4 = bending(x + h * u + h * h / 2 * a2, u + h * a3);
      x += h * u + h * h / 6 * (a1 + a2 + a3);
      u += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return x;
  }

  TanhLatent model;
  SquaredError objective;
  Vector z;
  bool bent = false;

 private:
  static Vector start(std::uint64_t seed) {
    Random random(seed, 1000);
    return random_point(random, kD);
  }
  VectorXd bending(const VectorXd& x, const VectorXd& u) {
    const Vector at(x.data(), x.data() + kD), along(u.data(), u.data() + kD);
    const MatrixXd j = jacobian_at(model, at);
    Vector d2(kM);
    model.second(along, d2);
    const MatrixXd g = kLambda * MatrixXd::Identity(kD, kD) + objective.weight * j.transpose() * j;
    return -solve_positive(g, objective.weight * j.transpose() * as_eigen(d2));
  }

  Vector y_;

 public:
  LoneMetric metric;

 private:
  PointPullback at_;
};

// slope of log error over log ρ, by least squares, for ρ from ½ down to 1/128
template <class Retract>
double order(Field& field, std::uint64_t seed, Retract retract) {
  Random random(seed, 2000);
  VectorXd direction = random_vector(random, kD);
  direction /= field.length(direction);
  double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (double rho = 0.125; rho > 0.007; rho /= 2) {
    const VectorXd delta = rho * direction;
    const double x = std::log(rho), y = std::log((retract(delta) - field.geodesic(delta)).norm());
    n += 1, sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
  }
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

TEST(Retraction, OfFirstOrderMissesTheGeodesicBySecondOrder) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Field field(seed, Metric::exact);
    const double slope =
        order(field, seed, [&](const VectorXd& d) { return field.retract(Retraction::first_order, d); });
    EXPECT_GE(slope, 1.9) << seed;
    EXPECT_LE(slope, 2.1) << seed;
    EXPECT_FALSE(field.bent);
  }
}

class CurvedRetraction : public testing::TestWithParam<std::tuple<Retraction, Metric>> {};

INSTANTIATE_TEST_SUITE_P(KindAndMetric, CurvedRetraction,
                         testing::Combine(testing::Values(Retraction::second_order, Retraction::christoffel),
                                          testing::Values(Metric::exact, Metric::conjugate_gradient)),
                         [](const auto& test) {
                           const bool christoffel = std::get<0>(test.param) == Retraction::christoffel;
                           return std::string(christoffel ? "christoffel_" : "second_order_") +
                                  std::string(name(std::get<1>(test.param)));
                         });

TEST_P(CurvedRetraction, MissesTheGeodesicByThirdOrder) {
  const auto [kind, metric] = GetParam();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Field field(seed, metric);
    const double slope = order(field, seed, [&](const VectorXd& d) {
      const VectorXd end = field.retract(kind, d);
      EXPECT_TRUE(field.bent);
      return end;
    });
    EXPECT_GE(slope, 2.9) << seed;
    EXPECT_LE(slope, 3.1) << seed;
  }
}

TEST_P(CurvedRetraction, WithTheOtherSignIsNoBetterThanFirstOrder) {
  const auto [kind, metric] = GetParam();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Field field(seed, metric);
    const double slope = order(field, seed, [&](const VectorXd& d) {
      return VectorXd(2 * (as_eigen(field.z) + d) - field.retract(kind, d));  // z + Δ + ½Γ
    });
    EXPECT_NEAR(slope, 2, 0.1) << seed;
  }
}

TEST(Retraction, OfNothingIsThePointAndItsDerivativeTheIdentity) {
  for (const Retraction kind : {Retraction::first_order, Retraction::second_order, Retraction::christoffel}) {
    Field field(3, Metric::exact);
    Random random(4);
    const VectorXd delta = random_vector(random, kD);
    EXPECT_EQ((field.retract(kind, delta, 0.0) - as_eigen(field.z)).norm(), 0.0);
    EXPECT_EQ((field.retract(kind, VectorXd::Zero(kD)) - as_eigen(field.z)).norm(), 0.0);
    const double h = 1e-5;
    const VectorXd slope = (field.retract(kind, delta, h) - field.retract(kind, delta, -h)) / (2 * h);
    EXPECT_LE((slope - delta).norm(), 1e-8 * delta.norm());
  }
}

TEST(Retraction, OfBothSecondOrdersIsTheSameToThirdOrder) {
  Field field(5, Metric::exact);
  Random random(6);
  const VectorXd direction = random_vector(random, kD);
  const auto differ = [&](double rho) {
    return (field.retract(Retraction::second_order, rho * direction) -
            field.retract(Retraction::christoffel, rho * direction))
        .norm();
  };
  EXPECT_NEAR(std::log2(differ(0.02) / differ(0.01)), 3, 0.1);
}

TEST(Retraction, UsesTheSecondOrderOnlyWhereTheMetricIsTrusted) {
  Random random(7);
  const VectorXd delta = 0.01 * random_vector(random, kD);
  for (const Metric kind : {Metric::euclidean, Metric::latent_covariance, Metric::literal}) {
    Field field(7, kind);
    EXPECT_EQ(field.retract(Retraction::second_order, delta), field.retract(Retraction::first_order, delta));
    EXPECT_FALSE(field.bent);
  }
  // a sketch is, within its span
  Field field(7, Metric::sketch);
  const VectorXd term = field.retract(Retraction::second_order, delta) - as_eigen(field.z) - delta;
  EXPECT_TRUE(field.bent);
  EXPECT_GT(term.norm(), 0);
  const MatrixXd u = field.metric.factor();
  const VectorXd outside = term - u * solve_positive(u.transpose() * u, u.transpose() * term);
  EXPECT_LE(outside.norm(), 1e-9 * term.norm());
}

TEST(Retraction, LeavesOutATermThatIsLongerThanTheStep) {
  int left_out = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Field field(seed, Metric::exact);
    Random random(seed);
    for (const double size : {0.1, 1.0, 10.0}) {
      const VectorXd delta = size * random_vector(random, kD);
      for (const Retraction kind : {Retraction::second_order, Retraction::christoffel}) {
        const VectorXd end = field.retract(kind, delta);
        const double term = (end - (as_eigen(field.z) + delta)).norm();
        EXPECT_LE(term, delta.norm() * (1 + 1e-12));
        EXPECT_EQ(field.bent, term > 0);
        left_out += field.bent ? 0 : 1;
      }
    }
  }
  EXPECT_GT(left_out, 10);
}

TEST(Domain, OfATorusIsHalfOpenAndOfABallClosed) {
  const double pi = std::numbers::pi;
  Vector z = {0.5, pi, -pi, pi + 0.25, -pi - 0.25, 7 * pi, 100};
  project({.domain = Domain::torus}, z);
  const Vector expected = {0.5, pi, pi, -pi + 0.25, pi - 0.25, pi, 100 - 32 * pi};
  for (std::size_t i = 0; i < z.size(); ++i) {
    EXPECT_NEAR(z[i], expected[i], 1e-12) << i;
    EXPECT_TRUE(z[i] > -pi && z[i] <= pi) << i;
  }
  Vector inside = {0.3, 0.4}, outside = {3, 4};
  project({.domain = Domain::ball, .ball_radius = 1}, inside);
  project({.domain = Domain::ball, .ball_radius = 1}, outside);
  EXPECT_EQ(inside, (Vector{0.3, 0.4}));
  EXPECT_NEAR(outside[0], 0.6, 1e-15);
  EXPECT_NEAR(outside[1], 0.8, 1e-15);
}

TEST(Domain, IsKeptByEveryCorrection) {
  for (const Domain domain : {Domain::torus, Domain::ball}) {
    for (const Retraction kind : {Retraction::first_order, Retraction::second_order}) {
      TanhLatent model(6, 10, 4, 3, 1.5);
      SquaredError objective(Vector(4, 0.0), 1.0);
      LoneCorrector lone({.trust = {.radius = 5}, .retraction = {.kind = kind, .domain = domain, .ball_radius = 1.5}},
                         model);
      Random random(5);
      int accepted = 0;
      for (int t = 0; t < 200; ++t) {
        Vector z = random_point(random, 6, domain == Domain::torus ? 1.5 : 0.5);
        project({.domain = domain, .ball_radius = 1.5}, z);
        objective.target = random_point(random, 4, 2);
        accepted += lone.correct(model, objective, z).accepted;
        for (const double angle : z) ASSERT_TRUE(std::fabs(angle) <= std::numbers::pi);
        ASSERT_TRUE(domain == Domain::torus || dot(z, z) <= 1.5 * 1.5 * (1 + 1e-12));
      }
      EXPECT_GT(accepted, 50);
    }
  }
}

}  // namespace
}  // namespace elastane
