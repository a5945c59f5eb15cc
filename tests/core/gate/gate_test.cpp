// Tests of elastane/core/gate/gate.h and gate_setup.cpp: the untrained gates, and options that are refused.
#include "elastane/core/gate/gate.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/laws/gated_run.h"

namespace elastane {
namespace {

TEST(Gate, HasANameForEveryKind) {
  std::set<std::string_view> names;
  for (int kind = 0; kind < kGates; ++kind) names.insert(name(static_cast<Gate>(kind)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kGates));
}

TEST(GainGate, ComparesThePredictedGainWithThePrice) {
  const GateOptions gate{.kind = Gate::gain, .depth = 3, .price = 0.5};
  EXPECT_TRUE(worth_refining(gate, 0.6));
  EXPECT_FALSE(worth_refining(gate, 0.5));
  // a loss that is not negative cannot fall by more than itself
  EXPECT_FALSE(worth_scoring(gate, 0.4));
  EXPECT_TRUE(worth_scoring(gate, -0.4));
  EXPECT_EQ(most_steps(gate), 3);
  EXPECT_EQ(most_steps({.kind = Gate::never, .depth = 3}), 0);
}

TEST(RandomGate, DrawsItsHistogramAndTheSameEachTime) {
  const GateOptions gate{.kind = Gate::random, .depth = 3, .histogram = {6, 0, 3, 1}, .seed = 9};
  const Streamed first = run(with(gate), {}, 5000), second = run(with(gate), {}, 5000);
  std::vector<double> counts(4);
  for (std::size_t t = 0; t < first.reports.size(); ++t) {
    EXPECT_EQ(first.reports[t].granted, second.reports[t].granted);
    counts[static_cast<std::size_t>(first.reports[t].granted)] += 1.0 / 5000;
  }
  // a run that sees other things draws others
  const Streamed other = run(with(gate), {}, 100, 4);
  int alike = 0;
  for (std::size_t t = 0; t < 100; ++t) alike += other.reports[t].granted == first.reports[t].granted ? 1 : 0;
  EXPECT_LT(alike, 70);  // .46 of them by chance
  EXPECT_NEAR(counts[0], 0.6, 0.03);
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[2], 0.3, 0.03);
  EXPECT_NEAR(counts[3], 0.1, 0.03);
}

TEST(KappaGate, RefinesWhereKappaIsAboveItsThreshold) {
  constexpr double kEdge = 1.0;
  const Streamed all = run(with({.kind = Gate::kappa, .depth = 2, .threshold = kEdge}), {});
  int refined = 0;
  for (std::size_t t = 0; t < all.reports.size(); ++t) {
    if (all.features[t].empty()) continue;
    const bool above = all.features[t][1] > std::log(kEdge);
    EXPECT_EQ(all.reports[t].granted, above ? 2 : 0);
    EXPECT_EQ(all.reports[t].stop == Stop::gate, !above);
    refined += above ? 1 : 0;
  }
  EXPECT_GT(refined, 10);
  EXPECT_LT(refined, 190);
}

TEST(GateOptions, ThatMakeNoSenseAreRefused) {
  const auto refusal = [](GateOptions gate) { return validate(with(std::move(gate))).error(); };
  EXPECT_EQ(refusal({.kind = Gate::learned, .depth = 65}), "[corrector] gate.depth: expected 0 to 64, found 65");
  EXPECT_EQ(refusal({.share = 1.5}), "[corrector] gate.share: expected 0 to 1, or below 0 for as trained, found 1.5");
  EXPECT_NE(refusal({.follow = true}).find("since it is to be followed"), std::string::npos);
  EXPECT_NE(refusal({.threshold = std::nan("")}).find("gate.threshold"), std::string::npos);
  EXPECT_NE(refusal({.kind = Gate::random, .depth = 2, .histogram = {1, 1}}).find("3 weights"), std::string::npos);
  EXPECT_NE(refusal({.kind = Gate::random, .depth = 1, .histogram = {1, -1}}).find("at least 0"), std::string::npos);
  EXPECT_NE(refusal({.kind = Gate::random, .depth = 1, .histogram = {0, 0}}).find("above 0"), std::string::npos);
}

}  // namespace
}  // namespace elastane
