// Tests of elastane/core/objective/objective.h: what must hold for all objectives, whatever units outputs have,
// whatever floats.
#include "elastane/core/objective/objective.h"

#include <array>
#include <bit>
#include <functional>

#include "elastane/core/objective/categorical.h"
#include "elastane/core/objective/gaussian.h"
#include "elastane/core/objective/huber.h"
#include "elastane/core/objective/weighted_sum.h"
#include "tests/core/objective/laws.h"

namespace elastane {
namespace {

constexpr std::size_t kOutputs = 4, kLatents = 3;
using Matrix = std::vector<Vector>;  // rows

Vector times(const Matrix& a, const Vector& x) {
  Vector out;
  for (const Vector& row : a) out.push_back(dot(row, x));
  return out;
}
Vector times_transposed(const Matrix& a, const Vector& x) {
  Vector out(a[0].size());
  for (std::size_t i = 0; i < a.size(); ++i) out = plus(out, x[i], a[i]);
  return out;
}
Matrix random_matrix(Random& random, std::size_t rows, std::size_t columns) {
  Matrix a;
  for (std::size_t i = 0; i < rows; ++i) a.push_back(normals(random, columns));
  return a;
}

// JᵀWJ v
Vector pulled_back(const Objective& objective, const Vector& y, const Matrix& j, const Vector& v) {
  return times_transposed(j, product_of(objective, y, times(j, v)));
}

// a change of output coordinates, y' = ψ(y), by its inverse and the inverse's Jacobian at y
struct Coordinates {
  std::function<Vector(const Vector&)> forth, back;
  std::function<Matrix(const Vector&)> jacobian;  // Dψ(y)
  std::function<Matrix(const Vector&)> inverse;   // Dψ(y)⁻¹
};

Matrix diagonal_matrix(const Vector& d) {
  Matrix a(d.size(), Vector(d.size()));
  for (std::size_t i = 0; i < d.size(); ++i) a[i][i] = d[i];
  return a;
}

Coordinates channelwise(double (*psi)(double), double (*back)(double), double (*slope)(double)) {
  const auto map = [](double (*f)(double)) {
    return [f](Vector y) {
      for (double& v : y) v = f(v);
      return y;
    };
  };
  return {map(psi), map(back), [=](const Vector& y) { return diagonal_matrix(map(slope)(y)); },
          [=](const Vector& y) {
            Vector d = map(slope)(y);
            for (double& v : d) v = 1.0 / v;
            return diagonal_matrix(d);
          }};
}

// y' = (I + abᵀ)y, whose inverse is I − abᵀ/(1 + bᵀa) (Sherman, Morrison)
Coordinates linear(Random& random) {
  const Vector a = normals(random, kOutputs), b = normals(random, kOutputs);
  const auto rank_one = [=](double scale) {
    Matrix out = diagonal_matrix(Vector(kOutputs, 1.0));
    for (std::size_t i = 0; i < kOutputs; ++i) out[i] = plus(out[i], scale * a[i], b);
    return out;
  };
  const Matrix psi = rank_one(1.0), inverse = rank_one(-1.0 / (1.0 + dot(a, b)));
  return {[=](const Vector& y) { return times(psi, y); }, [=](const Vector& y) { return times(inverse, y); },
          [=](const Vector&) { return psi; }, [=](const Vector&) { return inverse; }};
}

// ℓ'(y') = ℓ(ψ⁻¹(y')), with W' = Dψ⁻ᵀ W Dψ⁻¹
class InCoordinates final : public Objective {
 public:
  InCoordinates(const Objective& objective, const Coordinates& psi) : objective_(objective), psi_(psi) {}
  double value(std::span<const double> y) const override { return objective_.value(plain(y)); }
  void gradient(std::span<const double> y, std::span<double> out) const override {
    const Vector at = plain(y), g = times_transposed(psi_.inverse(at), gradient_of(objective_, at));
    std::copy(g.begin(), g.end(), out.begin());
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    const Vector at = plain(y);
    const Matrix inverse = psi_.inverse(at);
    for (int r = 0; r < u.count; ++r) {
      const Vector w = product_of(objective_, at, times(inverse, Vector(u[r], u[r] + y.size())));
      const Vector out = times_transposed(inverse, w);
      std::copy(out.begin(), out.end(), wu[r]);
    }
  }

 private:
  Vector plain(std::span<const double> y) const { return psi_.back(Vector(y.begin(), y.end())); }
  const Objective& objective_;
  const Coordinates& psi_;
};

const std::array<float, kOutputs> kTarget = {0.5F, -1.0F, 2.0F, 0.25F};
const std::array<float, kOutputs> kNoise = {0.3F, 1.0F, 2.0F, 0.5F};
const Gaussian kGaussian({.values = kTarget, .noises = kNoise});
const Huber kHuber({.values = kTarget, .noises = kNoise});
const Categorical kCategorical({.label = 2, .classes = kOutputs});
const WeightedSum kSum({{1.0, &kGaussian}, {2.0, &kCategorical}});
const std::array<const Objective*, 4> kAll = {&kGaussian, &kHuber, &kCategorical, &kSum};

// property G9, the part of the outputs: what is pulled back to the latent does not see their coordinates
TEST(Objective, PullsBackTheSameWhateverCoordinatesTheOutputsHave) {
  Random random(1);
  const std::array<Coordinates, 3> changes = {
      channelwise([](double v) { return std::exp(v); }, [](double v) { return std::log(v); },
                  [](double v) { return std::exp(v); }),
      channelwise([](double v) { return std::sinh(v); }, [](double v) { return std::asinh(v); },
                  [](double v) { return std::cosh(v); }),
      linear(random)};
  for (const Objective* objective : kAll) {
    for (const Coordinates& psi : changes) {
      const InCoordinates changed(*objective, psi);
      const Vector y = normals(random, kOutputs), there = psi.forth(y), v = normals(random, kLatents);
      const Matrix j = random_matrix(random, kOutputs, kLatents);
      Matrix j_there(kOutputs, Vector(kLatents));  // Dψ J
      const Matrix slope = psi.jacobian(y);
      for (std::size_t i = 0; i < kOutputs; ++i) j_there[i] = times_transposed(j, slope[i]);
      EXPECT_NEAR(changed.value(there), objective->value(y), 1e-10);
      expect_gradient_is_slope(changed, there);
      const Vector g = times_transposed(j, gradient_of(*objective, y));
      expect_near(times_transposed(j_there, gradient_of(changed, there)), g, 1e-10 * (1.0 + largest(g)));
      const Vector a = pulled_back(*objective, y, j, v);
      expect_near(pulled_back(changed, there, j_there, v), a, 1e-10 * (1.0 + largest(a)));
    }
  }
}

TEST(Objective, PullsBackTheSameInMetresAndInMillimetres) {
  constexpr double kMillimetres = 1000.0;
  Random random(2);
  std::array<float, kOutputs> target, noise;
  for (std::size_t i = 0; i < kOutputs; ++i) {
    target[i] = static_cast<float>(kMillimetres) * kTarget[i];
    noise[i] = static_cast<float>(kMillimetres) * kNoise[i];
  }
  const Gaussian gaussian({.values = target, .noises = noise});
  const Huber huber({.values = target, .noises = noise});
  const Vector y = normals(random, kOutputs), v = normals(random, kLatents);
  const Matrix j = random_matrix(random, kOutputs, kLatents);
  Matrix finer = j;
  for (Vector& row : finer) row = plus(Vector(kLatents), kMillimetres, row);
  const Vector there = plus(Vector(kOutputs), kMillimetres, y);
  // float targets and noises: 1e-6
  expect_near(pulled_back(gaussian, there, finer, v), pulled_back(kGaussian, y, j, v), 1e-5);
  expect_near(pulled_back(huber, there, finer, v), pulled_back(kHuber, y, j, v), 1e-5);
}

// --- any floats at all: nothing here may be undefined, which the sanitizers watch

float any_float(Random& random) { return std::bit_cast<float>(static_cast<std::uint32_t>(random.bits())); }
double any_double(Random& random) { return std::bit_cast<double>(random.bits()); }

void call_everything(const Objective& objective, const Vector& y, const Vector& u) {
  objective.value(y);
  gradient_of(objective, y);
  Vector products(3 * y.size());
  const int m = static_cast<int>(y.size());
  for (std::size_t i = 0; i < products.size(); ++i) products[i] = u[i % u.size()];
  objective.gauss_newton(y, ConstDoubleRows{products.data(), 3, m}, DoubleRows{products.data(), 3, m});
  objective.diagonal(y, products);
  objective.empty();
  lag_of(objective, y, u, y);
  acceleration_of(objective, y, u, y);
}

TEST(Objective, ComesThroughAnyFloats) {
  Random random(3);
  for (int n = 0; n < 3000; ++n) {
    std::array<float, 5> values, noises;
    std::array<std::uint8_t, 3> present;
    for (float& v : values) v = any_float(random);
    for (float& v : noises) v = any_float(random);
    for (std::uint8_t& v : present) v = static_cast<std::uint8_t>(random.below(2));
    Vector y(4), u(4);
    for (double& v : y) v = n % 2 == 0 ? any_double(random) : any_float(random);
    for (double& v : u) v = any_double(random);
    const Target target{std::span(values).first(static_cast<std::size_t>(random.below(6))), present,
                        std::span(noises).first(static_cast<std::size_t>(random.below(6))), any_double(random),
                        n % 3 == 0 ? any_double(random) : 1.0};
    const Gaussian gaussian(target);
    const Huber huber(target, any_double(random));
    const Categorical label(
        {.label = random.below(8) - 2, .classes = random.below(8) - 2, .temperature = any_double(random)});
    const Categorical share({.probabilities = std::span(values).first(4), .temperature = any_double(random)});
    const WeightedSum sum(
        {{any_double(random), &gaussian}, {any_double(random), &huber}, {any_double(random), &label}, {1.0, &share}});
    for (const Objective* objective :
         std::initializer_list<const Objective*>{&gaussian, &huber, &label, &share, &sum}) {
      call_everything(*objective, y, u);
    }
    // outputs within what a model produces: the value is finite, or there is none
    const Vector sane = {1.0, -2.0, 1e18, -1e18};
    EXPECT_TRUE(std::isfinite(gaussian.value(sane)));
    EXPECT_TRUE(std::isfinite(label.value(sane)));
    EXPECT_TRUE(std::isfinite(share.value(sane)));
    EXPECT_TRUE(all_finite(gradient_of(huber, sane)));
  }
}

TEST(Objective, KnowsNothingOfTheFutureUnlessItSaysSo) {
  const std::vector<float> values = {1, 2};
  const Vector y = {3, 3};
  const auto check = [&](const Objective& once, const Objective& lasting) {
    EXPECT_EQ(&once.at(0), &once);
    EXPECT_TRUE(once.at(1).empty());
    EXPECT_EQ(once.at(2).value(y), 0.0);
    EXPECT_EQ(gradient_of(once.at(1), y), (Vector{0, 0}));
    EXPECT_EQ(&lasting.at(3), &lasting);
  };
  check(Gaussian({.values = values}), Gaussian({.values = values, .lasts = true}));
  check(Huber({.values = values}), Huber({.values = values, .lasts = true}));
  check(Categorical({.label = 1, .classes = 2}), Categorical({.label = 1, .classes = 2, .lasts = true}));
}

}  // namespace
}  // namespace elastane
