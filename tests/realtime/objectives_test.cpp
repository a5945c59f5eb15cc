// Tests elastane/core/objective/: making an objective and asking it asks nothing of the allocator, of locks or of the
// system.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "elastane/core/objective/calibration.h"
#include "elastane/core/objective/categorical.h"
#include "elastane/core/objective/gaussian.h"
#include "elastane/core/objective/huber.h"
#include "elastane/core/objective/weighted_sum.h"
#include "tests/realtime/watched_run.h"

namespace elastane {
namespace {

constexpr int kOutputs = 6, kDirections = 20;

// every question there is, at one horizon; the sum of some answers
double ask(const Objective& objective, std::span<const double> y) {
  std::array<double, kOutputs> a, b;
  std::array<double, kDirections * kOutputs> rows;
  rows.fill(1.0);
  objective.gradient(y, a);
  objective.gauss_newton(y, ConstDoubleRows{rows.data(), kDirections, kOutputs},
                         DoubleRows{rows.data(), kDirections, kOutputs});
  objective.lag(y, a, y, b);
  objective.acceleration(y, a, y, b);
  objective.diagonal(y, a);
  return objective.value(y) + rows.back() + b[0] + (objective.empty() ? 1.0 : 0.0);
}

TEST(Objectives, AreMadeAndAskedInEveryStepAskingForNothing) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers interpose the allocator and the locks themselves";
  std::array<float, kOutputs> label{0.1F, 0.2F, 0.3F, NAN, 0.5F, 0.6F};
  const std::array<double, kOutputs> y{1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  const Verdict verdict = run_watched([&] {
    TemperatureCalibration calibration;
    double sum = 0.0;
    for (int t = 0; t < 10'000; ++t) {
      label[0] = static_cast<float>(t);
      Target target{.values = label, .noise = 0.5};
      calibration.observe(y, target);
      target.temperature = calibration.temperature();
      const Gaussian gaussian(target);
      const Huber huber(target);
      const Categorical categorical({.label = t % kOutputs, .classes = kOutputs}), soft({.probabilities = label});
      const WeightedSum both({{1.0, &gaussian}, {0.5, &categorical}}), all({{1.0, &both}, {2.0, &huber}, {1.0, &soft}});
      for (const int h : {0, 1, 100}) sum += ask(all.at(h), y);
    }
    return std::isfinite(sum);
  });
  EXPECT_EQ(verdict.system_call, -1) << "see asm/unistd_64.h for its name";
  EXPECT_TRUE(verdict.finished);
  EXPECT_TRUE(verdict.succeeded);
  EXPECT_EQ(verdict.requests.allocations, 0);
  EXPECT_EQ(verdict.requests.locks, 0);
  if (!verdict.filtered) GTEST_SKIP() << "this kernel takes no seccomp filter: system calls were not watched";
}

}  // namespace
}  // namespace elastane
