// Tests of elastane/core/metric/exact.cpp and correction_run.cpp: steps do not depend on how outputs are written down, nor,
// without damping, on the coordinates of the latent (G9).
#include <gtest/gtest.h>

#include <functional>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr double kTolerance = 1e-10;

// y′ = ψ(y)
struct Reparametrisation {
  const char* what;
  std::function<VectorXd(const VectorXd&)> forward, back;
  std::function<MatrixXd(const VectorXd&)> derivative;  // Dψ(y)
};

std::vector<Reparametrisation> reparametrisations(Random& random, int m) {
  const MatrixXd stretch = VectorXd::LinSpaced(m, 0.5, 2).asDiagonal();
  const MatrixXd linear = random_orthogonal(random, m) * stretch * random_orthogonal(random, m);
  const MatrixXd undone = inverse(linear);
  return {
      {"exp", [](const VectorXd& y) -> VectorXd { return y.array().exp(); },
       [](const VectorXd& y) -> VectorXd { return y.array().log(); },
       [](const VectorXd& y) -> MatrixXd { return y.array().exp().matrix().asDiagonal(); }},
      {"sinh", [](const VectorXd& y) -> VectorXd { return y.array().sinh(); },
       [](const VectorXd& y) -> VectorXd { return y.unaryExpr([](double v) { return std::asinh(v); }); },
       [](const VectorXd& y) -> MatrixXd { return y.array().cosh().matrix().asDiagonal(); }},
      {"linear", [=](const VectorXd& y) -> VectorXd { return linear * y; },
       [=](const VectorXd& y) -> VectorXd { return undone * y; }, [=](const VectorXd&) -> MatrixXd { return linear; }},
  };
}

TEST(Invariance, OfThePullbackAndTheStepToTheWritingOfOutputs) {
  for (const auto& [d, m] : {std::pair(9, 4), {4, 9}, {6, 6}}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      Random random(seed, 1000);
      const VectorXd y = random_vector(random, m);
      for (const bool diagonal : {true, false}) {
        MatrixXd w = random_weight(random, m);
        if (diagonal) w = MatrixXd(w.diagonal().asDiagonal());
        DensePullback plain(random_matrix(random, m, d), w);
        const VectorXd s = random_vector(random, m);
        LoneMetric metric({.kind = Metric::exact, .damping = 0.02}, d, m);
        ASSERT_TRUE(metric.prepare(plain, plain.j.transpose() * s));
        const VectorXd v = metric.solve(plain, s);
        for (const Reparametrisation& psi : reparametrisations(random, m)) {
          const MatrixXd by = psi.derivative(y), undone = inverse(by);
          DensePullback other(by * plain.j, undone.transpose() * plain.w * undone);
          const VectorXd s_other = undone.transpose() * s;
          LoneMetric same({.kind = Metric::exact, .damping = 0.02}, d, m);
          ASSERT_TRUE(same.prepare(other, other.j.transpose() * s_other));
          EXPECT_LE((same.solve(other, s_other) - v).norm(), kTolerance * v.norm())
              << psi.what << ", " << d << ", " << m;
          // tr A sets the unit of λ
          EXPECT_NEAR(same.geometry.damping(), metric.geometry.damping(), kTolerance * metric.geometry.damping());
          if (m <= d) continue;
          // RᵀR = λI + A, where G is factored in the latent's space
          const auto pulled_back = [&](const LoneMetric& of) {
            const MatrixXd r = as_eigen(of.geometry.work.system, d).transpose().triangularView<Eigen::Upper>();
            return MatrixXd(r.transpose() * r - of.geometry.damping() * MatrixXd::Identity(d, d));
          };
          EXPECT_LE((pulled_back(metric) - plain.a()).norm(), kTolerance * plain.a().norm());
          EXPECT_LE((pulled_back(same) - pulled_back(metric)).norm(), kTolerance * plain.a().norm()) << psi.what;
        }
      }
    }
  }
}

// ψ∘g
class Rewritten final : public LatentModel {
 public:
  Rewritten(TanhLatent& model, const Reparametrisation& psi) : model_(model), psi_(psi), y_(model.outputs()) {}
  int latents() const override { return model_.latents(); }
  int outputs() const override { return model_.outputs(); }
  LatentCost cost() const override { return model_.cost(); }
  void linearise(std::span<const double> z, std::span<double> y) override {
    model_.linearise(z, y_);
    write(psi_.forward(as_eigen(y_)), y.data());
  }
  void output(std::span<const double> z, std::span<double> y) override {
    Vector plain(outputs());
    model_.output(z, plain);
    write(psi_.forward(as_eigen(plain)), y.data());
  }
  void jvp(ConstDoubleRows q, DoubleRows jq) override {
    model_.jvp(q, jq);
    const MatrixXd by = psi_.derivative(as_eigen(y_));
    for (int r = 0; r < q.count; ++r) write(by * as_eigen(std::span(jq[r], y_.size())), jq[r]);
  }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override {
    const MatrixXd by = psi_.derivative(as_eigen(y_));
    for (int r = 0; r < w.count; ++r) {
      const VectorXd back = by.transpose() * as_eigen(std::span(w[r], y_.size()));
      model_.vjp({back.data(), 1, outputs()}, jtw.slice(r, 1));
    }
  }
  void second(std::span<const double>, std::span<double>) override {}
  void roll_point(DoubleRows) override {}
  void roll_tangent(std::span<const double>, DoubleRows) override {}
  void roll(std::span<const double>, DoubleRows) override {}

 private:
  static void write(const VectorXd& from, double* to) {
    for (Eigen::Index i = 0; i < from.size(); ++i) to[i] = from[i];
  }
  TanhLatent& model_;
  const Reparametrisation& psi_;
  Vector y_;
};

// ℓ∘ψ⁻¹, with W′ = Dψ⁻ᵀWDψ⁻¹
class RewrittenError final : public Objective {
 public:
  RewrittenError(const SquaredError& plain, const Reparametrisation& psi) : plain_(plain), psi_(psi) {}
  double value(std::span<const double> y) const override { return plain_.value(back(y)); }
  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    const Vector at = back(y);
    Vector s(at.size());
    plain_.gradient(at, s);
    const VectorXd pulled = inverse(psi_.derivative(as_eigen(at))).transpose() * as_eigen(s);
    for (std::size_t i = 0; i < s.size(); ++i) gradient[i] = pulled[i];
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    const MatrixXd undone = inverse(psi_.derivative(as_eigen(back(y))));
    for (int r = 0; r < u.count; ++r) {
      const VectorXd product = plain_.weight * undone.transpose() * undone * as_eigen(std::span(u[r], y.size()));
      for (std::size_t i = 0; i < y.size(); ++i) wu[r][i] = product[i];
    }
  }

 private:
  Vector back(std::span<const double> y) const {
    const VectorXd at = psi_.back(as_eigen(y));
    return {at.data(), at.data() + at.size()};
  }
  const SquaredError& plain_;
  const Reparametrisation& psi_;
};

TEST(Invariance, OfAWholeCorrectionToTheWritingOfOutputs) {
  for (const Metric metric : {Metric::exact, Metric::sketch, Metric::conjugate_gradient, Metric::euclidean}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed, 1000);
      for (const Reparametrisation& psi : reparametrisations(random, 4)) {
        TanhLatent model(7, 10, 4, seed, 1.5);
        Rewritten rewritten(model, psi);
        SquaredError objective(random_point(random, 4), 2);
        const RewrittenError same(objective, psi);
        const CorrectorOptions options = {.metric = {.kind = metric, .rank = 3, .products = 2}};
        LoneCorrector plain(options, model), other(options, rewritten);
        Vector z = random_point(random, 7);
        for (int t = 0; t < 5; ++t) {
          Vector z_other = z;
          objective.target = random_point(random, 4);
          const StepReport a = plain.correct(model, objective, z), b = other.correct(rewritten, same, z_other);
          ASSERT_EQ(a.stop, b.stop) << psi.what;
          EXPECT_LE((as_eigen(z) - as_eigen(z_other)).norm(), kTolerance * as_eigen(z).norm())
              << psi.what << ", " << name(metric) << ", step " << t;
        }
      }
    }
  }
}

TEST(Invariance, OfTheStepToTheCoordinatesOfTheLatentWithoutDamping) {
  // z = Tz′: J′ = JT, g′ = Tᵀg, v′ = T⁻¹v where A has an inverse
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed, 1000);
    DensePullback plain(random_matrix(random, 12, 5), random_weight(random, 12));
    const MatrixXd t = random_matrix(random, 5, 5) + 4 * MatrixXd::Identity(5, 5);
    DensePullback other(plain.j * t, plain.w);
    const VectorXd s = random_vector(random, 12);
    const auto step = [&](DensePullback& a, double damping) {
      LoneMetric metric({.kind = Metric::exact, .damping = damping}, 5, 12);
      EXPECT_TRUE(metric.prepare(a, a.j.transpose() * s));
      return metric.solve(a, s);
    };
    const VectorXd v = step(plain, 1e-14);
    EXPECT_LE((t * step(other, 1e-14) - v).norm(), kTolerance * v.norm()) << seed;
    // λI knows the coordinates
    const VectorXd damped = step(plain, 0.1);
    EXPECT_GT((t * step(other, 0.1) - damped).norm(), 1e-4 * damped.norm()) << seed;
  }
}

}  // namespace
}  // namespace elastane
