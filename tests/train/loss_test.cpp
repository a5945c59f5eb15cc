// elastane/train/loss.cpp, schedule.h: values by hand, missing targets, gradients against differences.
#include "elastane/train/loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/train/schedule.h"
#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

double value(const char* terms, const at::Tensor& y, const at::Tensor& target) {
  return loss(parse_loss(terms).value(), y, target).sum.item<double>();
}

TEST(Loss, ValuesAreThoseOfTheDefinitions) {
  const at::Tensor y = at::tensor({1.0, 2.0, 5.0}), target = at::tensor({0.5, 2.0, 2.0});
  EXPECT_DOUBLE_EQ(value("squared", y, target), 0.25 + 9);
  EXPECT_DOUBLE_EQ(value("absolute", y, target), 3.5);
  EXPECT_DOUBLE_EQ(value("huber:1", y, target), 0.125 + 2.5);
  EXPECT_DOUBLE_EQ(value("huber:4", y, target), 0.125 + 4.5);
  EXPECT_DOUBLE_EQ(value("squared+0.5*absolute", y, target), 9.25 + 1.75);
  const at::Tensor one_hot = at::tensor({0.0, 1.0, 0.0});
  EXPECT_NEAR(value("cross_entropy", y.unsqueeze(0), one_hot.unsqueeze(0)),
              std::log(std::exp(1.0) + std::exp(2.0) + std::exp(5.0)) - 2, 1e-12);
}

TEST(Loss, MissingTargetsCountNothing) {
  const at::Tensor y = at::rand({2, 3, 4}, at::kDouble).requires_grad_();
  at::Tensor target = at::rand({2, 3, 4}, at::kDouble);
  target[0][1][2] = NAN;
  for (const char* terms : {"squared", "absolute", "huber:0.2", "cross_entropy"}) {
    const LossSum found = loss(parse_loss(terms).value(), y, target);
    EXPECT_EQ(found.count.item<double>(), 23);
    EXPECT_TRUE(std::isfinite(found.sum.item<double>()));
    const at::Tensor gradient = torch::autograd::grad({found.sum}, {y})[0];
    EXPECT_TRUE(at::isfinite(gradient).all().item<bool>()) << terms;
    EXPECT_EQ(gradient[0][1][2].item<double>(), 0) << terms;
  }
}

TEST(Loss, GradientsAreThoseOfDifferences) {
  at::manual_seed(1);
  const at::Tensor target = at::softmax(at::randn({4, 5}, at::kDouble), -1);
  for (const char* terms : {"squared", "absolute", "huber:0.5", "cross_entropy", "0.3*squared+2*huber:1"}) {
    expect_gradients([&](const auto& in) { return loss(parse_loss(terms).value(), in[0], target).sum; },
                     {at::randn({4, 5}, at::kDouble)}, terms);
  }
}

TEST(Loss, TextComesBackTheSame) {
  for (const char* text : {"squared", "huber:0.5", "0.3*squared+2*huber:1", "cross_entropy+0.1*absolute"}) {
    EXPECT_EQ(to_string(parse_loss(text).value()), text);
  }
}

TEST(Loss, RefusesTextsThatAreNotALoss) {
  for (const char* text :
       {"", "square", "huber:", "huber:-1", "squared:2", "*squared", "0*squared", "squared+", "nan*squared"}) {
    EXPECT_FALSE(parse_loss(text)) << text;
  }
}

TEST(Noise, IsTheRootMeanSquareOfEachOutput) {
  const at::Tensor y = at::zeros({2, 2, 2});
  const at::Tensor target = at::tensor({3.0F, 1.0F, 4.0F, NAN, NAN, 1.0F, NAN, 1.0F}).view({2, 2, 2});
  const std::vector<double> found = noise(noise_sums(y, target));
  EXPECT_NEAR(found[0], std::sqrt(12.5), 1e-6);
  EXPECT_NEAR(found[1], 1, 1e-6);
}

TEST(Schedule, RisesAndFallsAsItSays) {
  const Schedule cosine{.kind = ScheduleKind::cosine, .steps = 100, .warm_up = 10, .last = 0.1};
  EXPECT_NEAR(cosine(0), 0.1, 1e-3);
  EXPECT_GT(cosine(9), 0.95);
  EXPECT_NEAR(cosine(55), 0.1 + 0.9 * 0.5 * (1 + std::cos(M_PI * 0.55)), 1e-12);
  EXPECT_NEAR(cosine(100), 0.1, 1e-9);
  const Schedule cycle{.kind = ScheduleKind::one_cycle, .steps = 100};
  EXPECT_NEAR(cycle(0), 0.04, 1e-9);
  EXPECT_NEAR(cycle(30), 1, 1e-9);
  EXPECT_LT(cycle(99), 0.01);
  const Schedule constant{.kind = ScheduleKind::constant, .steps = 100, .warm_up = 0};
  EXPECT_EQ(constant(0), 1);
  EXPECT_EQ(constant(99), 1);
}

}  // namespace
}  // namespace elastane::train
