// elastane/train/metric_training.cpp: derivatives through a loss that has no twin, and a metric learned through the
// loop.
#include "elastane/train/metric_training.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "tests/isa.h"
#include "tests/laws/latents.h"

namespace elastane::train {
namespace {

constexpr int kD = 6;

// a valley that is steep along two slanted directions and bends a little; every case has another bottom
struct Valley {
  static double at(std::size_t which, std::span<const double> z, std::span<double> gradient) {
    double loss = 0;
    for (double& g : gradient) g = 0;
    for (int r = 0; r < kD; ++r) {
      const double steep = r < 2 ? 30 : 1;
      double along = 0, direction[kD];
      for (int i = 0; i < kD; ++i) {
        direction[i] = std::cos(1.3 * (r + 1) * (i + 1));
        along += direction[i] * (z[i] - 0.1 * std::sin(static_cast<double>(which) + i));
      }
      const double bend = std::sqrt(1 + along * along);
      loss += steep * (bend - 1);
      for (int i = 0; i < kD; ++i) gradient[i] += steep * along / bend * direction[i];
    }
    return loss;
  }
};

AnalyticLoss valley() { return {.latents = kD, .value = Valley::at}; }

std::vector<MetricStart> starts(std::uint64_t seed, int count = 64) {
  Random random(seed);
  std::vector<MetricStart> all;
  for (int i = 0; i < count; ++i) {
    MetricStart start{.which = static_cast<std::size_t>(i % 5), .z = std::vector<double>(kD)};
    for (double& v : start.z) v = 0.2 * random.normal();
    all.push_back(start);
  }
  return all;
}

// the valley as an objective of a latent that is its own output
struct OwnOutput final : LinearLatent {
  OwnOutput() : LinearLatent(kD, kD, 1) {
    std::fill(c.begin(), c.end(), 0.0);
    for (int i = 0; i < kD; ++i) c[static_cast<std::size_t>(i * kD + i)] = 1;
  }
};
struct ValleyObjective final : Objective {
  explicit ValleyObjective(std::size_t w) : which(w) {}
  double value(std::span<const double> y) const override {
    double g[kD];
    return Valley::at(which, y, g);
  }
  void gradient(std::span<const double> y, std::span<double> g) const override { Valley::at(which, y, g); }
  void gauss_newton(std::span<const double> /*y*/, ConstDoubleRows u, DoubleRows wu) const override {
    for (int r = 0; r < u.count; ++r) std::copy_n(u[r], kD, wu[r]);
  }
  std::size_t which;
};

// mean loss that a corrector of the core leaves, as a share of what it began with
double left_over(const CorrectorOptions& options, const LearnedMetric& metric, std::uint64_t seed) {
  OwnOutput model;
  Corrector corrector(options, kD, kD, *kernels(test_isa()).value(), metric);
  std::vector<double> memory(corrector.memory_doubles()), y(kD);
  double before = 0, after = 0;
  for (const MetricStart& start : starts(seed)) {
    corrector.reset(memory.data());
    std::vector<double> z = start.z;
    const StepReport report =
        corrector.correct(model, ValleyObjective(start.which), Budget::none(), z, y, memory.data());
    EXPECT_LE(report.loss_after, report.loss_before);
    before += report.loss_before;
    after += report.loss_after;
  }
  return after / before;
}

TEST(AnalyticLoss, HasTheDerivativesOfDifferences) {
  at::manual_seed(2);
  const std::vector<std::size_t> cases = {0, 3, 4};
  at::Tensor z = at::randn({3, kD}, at::kDouble).requires_grad_();
  const at::Tensor along = at::randn({3, kD}, at::kDouble);
  AnalyticLoss with_hessian = valley();
  with_hessian.hessian = [](std::size_t which, std::span<const double> at, std::span<const double> v,
                            std::span<double> product) {
    double up[kD], down[kD], above[kD], below[kD];
    for (int i = 0; i < kD; ++i) up[i] = at[i] + 1e-5 * v[i], down[i] = at[i] - 1e-5 * v[i];
    Valley::at(which, up, above);
    Valley::at(which, down, below);
    for (int i = 0; i < kD; ++i) product[i] = (above[i] - below[i]) / 2e-5;
  };
  for (const AnalyticLoss& loss : {valley(), with_hessian}) {
    const auto value = [&](const at::Tensor& at) {
      return (loss_at(loss, cases, at) + (gradient_at(loss, cases, at) * along).sum(1)).sum();
    };
    const at::Tensor found = torch::autograd::grad({value(z)}, {z})[0];
    for (int i = 0; i < 3 * kD; ++i) {
      const at::Tensor step = at::zeros({3 * kD}, at::kDouble);
      step[i] = 1e-5;
      const at::Tensor moved = step.view({3, kD});
      const double expected = (value(z.detach() + moved) - value(z.detach() - moved)).item<double>() / 2e-5;
      EXPECT_NEAR(found.view(-1)[i].item<double>(), expected, 1e-4);
    }
  }
}

TEST(MetricTraining, LearnsAMetricThatGoesDownFasterOnStartsItHasNotSeen) {
  const MetricTraining training{.rank = 4, .depth = 3, .radius = 3, .scale = 30, .unit = 0.1, .steps = 300};
  const MetricWeights learned = train_metric(valley(), starts(1), training);
  ASSERT_TRUE(validate(learned));
  EXPECT_EQ(learned.rank(), 4);
  const CorrectorOptions options = corrector_of(training);
  // plain gradients of the best length among many
  double plain = 1;
  for (double scale = 0.5; scale < 1e4; scale *= 1.5) {
    const MetricWeights flat{.diagonal = std::vector<double>(kD, scale)};
    plain = std::min(plain, left_over(options, flat.view(), 2));
  }
  MetricTraining diagonal_only = training;
  diagonal_only.rank = 0;
  const double diagonal = left_over(options, train_metric(valley(), starts(1), diagonal_only).view(), 2);
  const double found = left_over(options, learned.view(), 2);
  RecordProperty("plain", std::to_string(plain));
  RecordProperty("diagonal", std::to_string(diagonal));
  RecordProperty("learned", std::to_string(found));
  EXPECT_LT(found, 0.5 * plain);
  EXPECT_LT(found, diagonal);
}

TEST(MetricTraining, ComesToTheSameFromTheSameSeed) {
  const MetricTraining training{.scale = 30, .steps = 20};
  const MetricWeights first = train_metric(valley(), starts(1), training);
  EXPECT_EQ(first.factor, train_metric(valley(), starts(1), training).factor);
}

TEST(MetricTraining, RefusesWhatMakesNoSense) {
  EXPECT_THROW(train_metric({}, starts(1)), c10::Error);
  EXPECT_THROW(train_metric(valley(), {}), c10::Error);
  const std::vector<MetricStart> shorter = {{.which = 0, .z = {1, 2}}};
  EXPECT_THROW(train_metric(valley(), shorter), c10::Error);
  EXPECT_THROW(train_metric(valley(), starts(1), {.rank = 33}), c10::Error);
}

}  // namespace
}  // namespace elastane::train
