// Your own latent: a pendulum observed by its sine, corrected as an extended Kalman filter.   example_pendulum
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "elastane/elastane.h"

constexpr double kStep = 0.05, kGravity = 9.81, kNoise = 0.05;

// z = (angle, speed); y = sin(angle)
class Pendulum final : public elastane::LatentModel {
 public:
  int latents() const override { return 2; }
  int outputs() const override { return 1; }
  elastane::LatentCost cost() const override { return {.read = 1, .jvp = 1, .vjp = 1, .second = 1}; }

  void linearise(std::span<const double> z, std::span<double> y) override {
    angle_ = z[0];
    output(z, y);
  }
  void output(std::span<const double> z, std::span<double> y) override { y[0] = std::sin(z[0]); }

  // J = (cos(angle), 0)
  void jvp(elastane::ConstDoubleRows q, elastane::DoubleRows jq) override {
    for (int r = 0; r < q.count; ++r) jq[r][0] = std::cos(angle_) * q[r][0];
  }
  void vjp(elastane::ConstDoubleRows w, elastane::DoubleRows jtw) override {
    for (int r = 0; r < w.count; ++r) {
      const double weight = w[r][0];  // read before writing: both may be the same memory
      jtw[r][0] = std::cos(angle_) * weight;
      jtw[r][1] = 0;
    }
  }
  void second(std::span<const double> q, std::span<double> d2) override { d2[0] = -std::sin(angle_) * q[0] * q[0]; }

  // only horizons beyond 1 look ahead; this filter does not
  void roll_point(elastane::DoubleRows) override {}
  void roll_tangent(std::span<const double>, elastane::DoubleRows) override {}
  void roll(std::span<const double>, elastane::DoubleRows) override {}

 private:
  double angle_ = 0;
};

// one step of the pendulum, and F = ∂(new z)/∂z
std::array<double, 4> swing(std::span<double> z) {
  const std::array<double, 4> f = {1, kStep, -kStep * kGravity * std::cos(z[0]), 1};
  const double angle = z[0];
  z[0] += kStep * z[1];
  z[1] -= kStep * kGravity * std::sin(angle);
  return f;
}

// root mean square error of the angle
double filter(bool predicts) {
  elastane::CorrectorOptions options;
  options.metric.kind = elastane::Metric::kalman;
  options.trust.radius = options.trust.largest;  // the filter's step is not shortened
  auto corrector = elastane::Corrector::create(options, 2, 1, *elastane::kernels().value()).value();
  std::vector<double> memory(corrector.memory_doubles());
  corrector.reset(memory.data());

  const std::array<double, 4> q = {1e-6, 0, 0, 1e-4};
  Pendulum pendulum;
  elastane::Random random(1);
  std::array<double, 2> truth = {0.8, 0}, z = {0.5, 0.3};
  std::array<double, 1> y = {};
  double squares = 0;
  for (int t = 0; t < 1000; ++t) {
    swing(truth);
    truth[0] += 1e-3 * random.normal(), truth[1] += 1e-2 * random.normal();
    const std::array<double, 4> f = swing(z);
    if (predicts) corrector.predict({f.data(), 2, 2}, {q.data(), 2, 2}, memory.data());  // P ← FPFᵀ + Q
    const float measured[] = {static_cast<float>(std::sin(truth[0]) + kNoise * random.normal())};
    corrector.correct(pendulum, elastane::Gaussian({.values = measured, .present = {}, .noises = {}, .noise = kNoise}),
                      {}, z, y, memory.data());
    if (t >= 200) squares += (z[0] - truth[0]) * (z[0] - truth[0]);
  }
  return std::sqrt(squares / 800);
}

int main() {
  const double with = filter(true), without = filter(false);
  std::printf("error of the angle: %.4f with predict, %.4f without\n", with, without);
  return with < 0.03 && with < 0.5 * without ? 0 : 1;
}
