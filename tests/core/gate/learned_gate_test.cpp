// Tests of elastane/core/gate/learned_gate.cpp: what a trained gate grants.
#include <gtest/gtest.h>

#include "tests/laws/gated_run.h"

namespace elastane {
namespace {

// one whose only say is how much log ℓ exceeds `edge`
LearnedGate loss_gate(double edge, GateReadout readout, GateInput sees = GateInput::loss) {
  LearnedGate gate{.sees = sees, .readout = readout};
  gate.network.hidden_weight.assign(kOwnGateFeatures, 0.0);
  gate.network.hidden_weight[0] = 1;
  gate.network.hidden_bias = {-edge};
  for (int k = 0; k < kDepths; ++k) {
    gate.network.score_weight.push_back(readout == GateReadout::argmax ? 4.0 * k : -4.0);
    gate.network.score_bias.push_back(readout == GateReadout::argmax ? -k * k : 1.0 * k);
  }
  return gate;
}

double share_refined(const Streamed& run) {
  double refined = 0;
  for (const StepReport& report : run.reports) refined += report.granted > 0 ? 1 : 0;
  return refined / static_cast<double>(run.reports.size());
}

// --- what it grants

TEST(LearnedGate, GrantsNoLessWhereTheLossIsHigher) {
  for (const GateReadout readout : {GateReadout::argmax, GateReadout::ponder, GateReadout::act}) {
    const LearnedGate gate = loss_gate(-2, readout);
    double a[1], o[kDepths], f[kOwnGateFeatures] = {};
    int before = 0;
    for (double log_loss = -20; log_loss < 20; log_loss += 0.05) {
      f[0] = log_loss;
      gate.score(f, a, o);
      const int depth = gate.depth(o, gate.threshold());
      EXPECT_GE(depth, before) << name(readout);
      before = depth;
    }
    EXPECT_GT(before, 0) << name(readout);
  }
}

TEST(LearnedGate, GrantsTheDepthOfTheHighestScore) {
  Random random(5);
  const LearnedGate gate = random_gate(1);
  for (int i = 0; i < 1000; ++i) {
    const Vector o = random_point(random, kDepths);
    EXPECT_EQ(gate.depth(o.data(), gate.threshold()), std::max_element(o.begin(), o.end()) - o.begin());
  }
}

TEST(LearnedGate, HaltsWhereHalfOfAllWouldHaveHalted) {
  Random random(5);
  const LearnedGate gate = random_gate(1, {.readout = GateReadout::ponder});
  for (int i = 0; i < 1000; ++i) {
    const Vector o = random_point(random, kDepths);
    double on = 1;  // who has not halted yet
    int expected = 0;
    for (; expected < kDepths - 1; ++expected) {
      on *= 1 - 1 / (1 + std::exp(-o[expected]));
      if (on <= 0.5) break;
    }
    EXPECT_EQ(gate.depth(o.data(), gate.threshold()), expected);
  }
}

TEST(LearnedGate, OfAHigherThresholdRefinesNoMore) {
  Random random(5);
  for (const GateReadout readout : {GateReadout::argmax, GateReadout::ponder, GateReadout::act}) {
    const LearnedGate gate = random_gate(1, {.readout = readout});
    for (int i = 0; i < 200; ++i) {
      const Vector o = random_point(random, kDepths);
      EXPECT_EQ(gate.depth(o.data(), gate.urgency(o.data())), 0);
      EXPECT_GT(gate.depth(o.data(), gate.urgency(o.data()) - 1e-9), 0);
    }
  }
}

TEST(LearnedGate, RefinesTheShareOfStepsThatItIsAskedFor) {
  LearnedGate gate = loss_gate(-2, GateReadout::argmax);
  // quantiles of urgency on a stream like the one below
  std::vector<double> urgencies;
  for (const Vector& f : run(with({.kind = Gate::learned}), gate, 4000, 11).features) {
    double a[1], o[kDepths];
    gate.score(f.data(), a, o);
    urgencies.push_back(gate.urgency(o));
  }
  std::sort(urgencies.begin(), urgencies.end());
  for (int q = 0; q <= 100; ++q) gate.quantiles.push_back(urgencies[q * (urgencies.size() - 1) / 100]);
  double before = -1;
  for (const double share : {0.0, 0.1, 0.3, 0.7, 1.0}) {
    const double found = share_refined(run(with({.kind = Gate::learned, .share = share}), gate, 4000));
    EXPECT_NEAR(found, share, 0.02);
    EXPECT_GT(found, before);
    before = found;
  }
}

TEST(LearnedGate, KeepsItsShareOnAStreamThatIsUnlikeItsTraining) {
  LearnedGate gate = loss_gate(-2, GateReadout::argmax);
  gate.quantiles = {-100, -50};  // of another world
  for (const double share : {0.1, 0.3}) {
    const GateOptions options{.kind = Gate::learned, .share = share};
    EXPECT_GT(share_refined(run(with(options), gate, 4000)), 0.9);
    GateOptions follows = options;
    follows.follow = true;
    EXPECT_NEAR(share_refined(run(with(follows), gate, 20'000)), share, 0.03);
  }
}

// --- what is refused

TEST(LearnedGate, WhoseNumbersDoNotFitEachOtherIsRefused) {
  EXPECT_TRUE(validate(random_gate(1)));
  const auto refusal = [](auto change) {
    LearnedGate gate = random_gate(1);
    change(gate);
    return validate(gate).error();
  };
  EXPECT_NE(refusal([](LearnedGate& g) { g.network.hidden_bias.clear(); }).find("hidden.bias: expected 1 to 64"),
            std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) { g.network.hidden_weight.pop_back(); }).find("hidden.weight"),
            std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) {
              g.network.score_weight.pop_back();
            }).find("score.weight: expected 24 numbers, found 23"),
            std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) { g.network.score_bias.assign(66, 0); }).find("1 to 65 depths, found 66"),
            std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) { g.network.score_bias[1] = std::nan(""); }).find("finite"), std::string::npos);
  EXPECT_NE(refusal([](LearnedGate& g) { g.quantiles = {1, 0}; }).find("ascending"), std::string::npos);
}

}  // namespace
}  // namespace elastane
