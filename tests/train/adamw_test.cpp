// elastane/train/adamw.cpp: the steps of the definition, clipping, and gradients that are not finite.
#include "elastane/train/adamw.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/train/sequence_model.h"
#include "tests/core/models.h"
#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

TEST(AdamW, LongGradientsAreCutAndBrokenOnesRefused) {
  const ModelConfig config = tiny_config();
  const SequenceModel a = SequenceModel::create(config, random_tensors(config, 1)).value();
  const SequenceModel b = SequenceModel::create(config, random_tensors(config, 1)).value();
  AdamW cut(a.weights(), config, {.clip = 2}), plain(b.weights(), config, {.clip = 0});
  const auto step = [](const SequenceModel& model, AdamW& adamw, double scale) {
    for (const at::Tensor& w : model.weights().values()) w.mutable_grad() = at::full_like(w, scale);
    return adamw.step(0.01);
  };
  // moments remember the cut gradient: a second step shows it
  const double count = static_cast<double>(a.weights().count());
  for (const double scale : {100.0, 0.1}) {
    const double norm = step(a, cut, scale);
    EXPECT_NEAR(norm, scale * std::sqrt(count), 1e-3 * norm);
    step(b, plain, std::min(scale, scale * 2 / norm));
  }
  EXPECT_LE(deviation(a.weights()["encoder.weight"], b.weights()["encoder.weight"]), 1e-5);
  const at::Tensor before = a.weights()["encoder.weight"].detach().clone();
  EXPECT_FALSE(std::isfinite(step(a, cut, NAN)));
  EXPECT_TRUE(at::equal(before, a.weights()["encoder.weight"]));
}

TEST(AdamW, TakesTheStepsOfTheDefinition) {
  const ModelConfig config = tiny_config();
  const SequenceModel model = SequenceModel::create(config, random_tensors(config, 1)).value();
  AdamW adamw(model.weights(), config, {.decay = 0.1, .clip = 0});
  const at::Tensor w = model.weights()["encoder.weight"];
  at::Tensor expected = w.detach().to(at::kDouble), m = at::zeros_like(expected), v = at::zeros_like(expected);
  for (int t = 1; t <= 5; ++t) {
    const at::Tensor g = at::full_like(expected, 0.3 * t - 1);
    for (const at::Tensor& weight : model.weights().values()) weight.mutable_grad() = at::zeros_like(weight);
    w.mutable_grad() = g.to(at::kFloat);
    const double norm = adamw.step(0.01);
    EXPECT_NEAR(norm, g.norm().item<double>(), 1e-5);
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    expected = expected * (1 - 0.01 * 0.1) -
               0.01 * (m / (1 - std::pow(0.9, t))) / ((v / (1 - std::pow(0.999, t))).sqrt() + 1e-8);
  }
  EXPECT_LE(deviation(w, expected), 1e-5);
}

TEST(AdamW, KeepsItsMomentsByName) {
  const at::Tensor w = at::zeros({2, 2}).requires_grad_();
  AdamW adamw({{"w", w}}, {});
  w.mutable_grad() = at::ones_like(w);
  adamw.step(0.1);
  EXPECT_EQ(adamw.steps(), 1);
  const std::vector<NamedTensor> moments = adamw.moments();
  ASSERT_EQ(moments.size(), 2U);
  EXPECT_EQ(moments[0].name, "m.w");
  EXPECT_EQ(moments[1].name, "v.w");
  EXPECT_GT(moments[0].value.min().item<double>(), 0);
  EXPECT_FALSE(w.grad().defined());
}

}  // namespace
}  // namespace elastane::train
