// elastane/train/gate_training.cpp and gate_losses.cpp: what a gate learns from examples, by five methods, and that the
// gate at run time is the gate in training.
#include "elastane/train/gate_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/gate/gate_figures.h"
#include "elastane/train/scoring.h"
#include "tests/core/gates.h"
#include "tests/isa.h"
#include "tests/laws/latents.h"
#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

constexpr int kDepths = 5, kAdded = 2;
constexpr int kFeatures = kOwnGateFeatures + kAdded;

DepthExamples blank() { return {.features = {}, .losses = {}, .costs = {0, 1, 2, 3, 4}}; }

// A stream of steps that differ in how much is wrong (s) and in how much of it a micro-step takes (r). The gate sees
// log s with noise, a hint of r, and features that say nothing.
DepthExamples stream(std::uint64_t seed, int count = 3000) {
  Random random(seed);
  DepthExamples examples = blank();
  for (int i = 0; i < count; ++i) {
    const double log_size = 1.5 * random.normal() - 1, stubborn = random.uniform(0.1, 0.95);
    double shown[kFeatures], losses[kDepths];
    for (double& f : shown) f = random.normal();
    shown[0] = log_size + 0.2 * random.normal();
    shown[kOwnGateFeatures] = stubborn + 0.05 * random.normal();
    for (int k = 0; k < kDepths; ++k) losses[k] = std::exp(log_size) * std::pow(stubborn, k);
    examples.add(shown, losses);
  }
  return examples;
}

// steps that need 0 to 4 micro-steps, no more and no less, which the features tell plainly
DepthExamples separable(std::uint64_t seed, int count = 2000) {
  Random random(seed);
  DepthExamples examples = blank();
  for (int i = 0; i < count; ++i) {
    const int needed = random.below(kDepths);
    double shown[kFeatures], losses[kDepths];
    for (double& f : shown) f = random.normal();
    shown[0] = needed + random.uniform(-0.3, 0.3);
    for (int k = 0; k < kDepths; ++k) losses[k] = std::max(needed - k, 0);
    examples.add(shown, losses);
  }
  return examples;
}

GateTraining by(GateMethod method, double price, std::uint64_t seed = 1) {
  return {.loss = {.method = method}, .price = price, .steps = 200, .batch = 512, .rate = 0.05, .seed = seed};
}

at::Tensor rows(const std::vector<double>& values, std::int64_t columns) {
  return at::tensor(values, at::kDouble).view({-1, columns});
}

at::Tensor scores_in_training(const LearnedGate& gate, const at::Tensor& features) {
  return scored(features, rows(gate.network.hidden_weight, gate.features()),
                at::tensor(gate.network.hidden_bias, at::kDouble), rows(gate.network.score_weight, gate.hidden()),
                at::tensor(gate.network.score_bias, at::kDouble));
}

// --- laws

TEST(GateTraining, OfTheMarginalReachesTheOraclesChoice) {
  const double price = 0.3;
  const LearnedGate gate = train_gate(separable(1), by(GateMethod::marginal, price));
  const DepthExamples unseen = separable(2);
  const DepthFigures found = judge(gate, unseen), best = judge_oracle(unseen, price);
  EXPECT_NEAR(found.objective(price), best.objective(price), 0.01);
  EXPECT_NEAR(found.depth, best.depth, 0.02);
}

TEST(GateTraining, GrantsMoreWhereStepsAreHarder) {
  const LearnedGate gate = train_gate(stream(1), by(GateMethod::marginal, 0.05));
  // in ten parts by how much is wrong, with the same hints in each
  double before = -1;
  for (int part = 0; part < 10; ++part) {
    DepthExamples alike = stream(7, 1000);
    for (std::size_t i = 0; i < alike.size(); ++i) alike.features[i * kFeatures] = -4 + 0.8 * part;
    const double depth = judge(gate, alike).depth;
    EXPECT_GE(depth, before - 1e-12) << "part " << part;
    before = depth;
  }
  EXPECT_GT(before, 1);
}

TEST(GateTraining, GrantsLessAsThePriceRises) {
  const DepthExamples examples = stream(1), unseen = stream(2);
  for (const std::uint64_t seed : {1, 2, 3}) {
    double before = kDepths;
    for (const double price : {0.001, 0.03, 0.1, 0.3, 10.0}) {
      const double depth = judge(train_gate(examples, by(GateMethod::marginal, price, seed)), unseen).depth;
      EXPECT_LT(depth, before) << "price " << price << ", seed " << seed;
      before = depth;
    }
    EXPECT_LT(before, 0.02);
  }
}

TEST(GateTraining, BeatsDepthsDrawnFromTheSameHistogramWhateverTheMethod) {
  const double price = 0.05;
  const DepthExamples examples = stream(1), unseen = stream(2);
  const double best = judge_oracle(unseen, price).objective(price);
  for (const GateMethod method : kGateMethods) {
    const DepthFigures found = judge(train_gate(examples, by(method, price)), unseen);
    const double drawn = judge_drawn(found.histogram, unseen).objective(price);
    RecordProperty(std::string(name(method)), std::to_string(found.objective(price)));
    EXPECT_LT(found.objective(price), drawn - 0.25 * (drawn - best)) << name(method) << " at depth " << found.depth;
    EXPECT_GE(found.objective(price), best) << name(method);
    EXPECT_GT(found.depth, 0.2) << name(method);
    EXPECT_LT(found.depth, 3.8) << name(method);
  }
}

TEST(GateTraining, KeepsQuantilesByWhichAShareCanBeAskedForAfterwards) {
  const DepthExamples examples = stream(1), unseen = stream(2);
  for (const GateMethod method : {GateMethod::marginal, GateMethod::ponder, GateMethod::act}) {
    const LearnedGate gate = train_gate(examples, by(method, 0.05));
    double before = HUGE_VAL;
    for (const double share : {0.0, 0.1, 0.25, 0.5, 0.9}) {
      const DepthFigures found = judge(gate, unseen, gate.threshold(share));
      EXPECT_NEAR(1 - found.histogram[0], share, 0.03) << name(method);
      EXPECT_LT(found.loss, before) << name(method);
      before = found.loss;
    }
  }
}

// --- run time and training

TEST(GateTraining, IsTheGateAtRunTimeBitForBit) {
  for (const GateMethod method : kGateMethods) {
    const LearnedGate gate = train_gate(stream(1), by(method, 0.05));
    TanhLatent model(4, 6, 3, 3, 1.0);
    model.added = {0.5, -1};
    const CorrectorOptions options{.gate = {.kind = Gate::learned}};
    Corrector corrector(options, 4, 3, *kernels(test_isa()).value(), {}, gate);
    std::vector<double> memory(corrector.memory_doubles()), y(3);
    corrector.reset(memory.data());
    Random random(5);
    for (int t = 0; t < 200; ++t) {
      std::vector<double> z = {random.normal(), random.normal(), random.normal(), random.normal()};
      const SquaredError objective({random.normal(), random.normal(), random.normal()}, std::exp(random.normal()));
      const StepReport report = corrector.correct(model, objective, Budget::none(), z, y, memory.data());
      const auto seen = corrector.gate_features();
      ASSERT_EQ(seen.size(), static_cast<std::size_t>(kFeatures));
      const at::Tensor o = scores_in_training(gate, rows({seen.begin(), seen.end()}, kFeatures));
      double a[16], at_run_time[kDepths];
      gate.score(seen.data(), a, at_run_time);
      for (int k = 0; k < kDepths; ++k) ASSERT_EQ(o.data_ptr<double>()[k], at_run_time[k]);
      ASSERT_EQ(report.granted, gate.depth(o.data_ptr<double>(), gate.threshold())) << name(method);
    }
  }
}

TEST(GateTraining, ComesToTheSameFromTheSameSeed) {
  const DepthExamples examples = stream(1, 500);
  for (const GateMethod method : kGateMethods) {
    GateTraining training = by(method, 0.05);
    training.steps = 20;
    const LearnedGate first = train_gate(examples, training), again = train_gate(examples, training);
    EXPECT_EQ(first.network.hidden_weight, again.network.hidden_weight) << name(method);
    EXPECT_EQ(first.network.score_weight, again.network.score_weight) << name(method);
    training.seed = 2;
    EXPECT_NE(first.network.hidden_weight, train_gate(examples, training).network.hidden_weight) << name(method);
  }
}

TEST(GateTraining, LooksPastAFeatureThatNeverChanged) {
  DepthExamples examples = stream(1, 500), other = examples;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    examples.features[i * kFeatures + 1] = 3;
    other.features[i * kFeatures + 1] = -1e6;
  }
  const LearnedGate gate = train_gate(examples, by(GateMethod::marginal, 0.05));
  EXPECT_EQ(judge(gate, examples).histogram, judge(gate, other).histogram);
}

// --- bad input

TEST(GateTraining, RefusesExamplesThatDoNotFit) {
  const auto refused = [](auto change) {
    DepthExamples examples = stream(1, 10);
    change(examples);
    return validate(examples, kOwnGateFeatures).error();
  };
  EXPECT_EQ(refused([](DepthExamples& l) { l.costs = {0}; }), "[examples] costs: expected 2 to 65, found 1");
  EXPECT_NE(refused([](DepthExamples& l) { l.losses.pop_back(); }).find("90 and 49 numbers"), std::string::npos);
  EXPECT_NE(refused([](DepthExamples& l) { l.features.resize(30); }).find("features: expected 7 to 64, found 3"),
            std::string::npos);
  EXPECT_NE(refused([](DepthExamples& l) { l.losses[3] = NAN; }).find("finite"), std::string::npos);
  EXPECT_THROW(train_gate(blank()), std::exception);
  EXPECT_THROW(train_gate(stream(1, 10), {.price = -1}), c10::Error);
  EXPECT_THROW(train_gate(stream(1, 10), {.hidden = 65}), c10::Error);
}

}  // namespace
}  // namespace elastane::train
