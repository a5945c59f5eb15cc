// lab/recall/given_keys.cpp: recall of pairs whose keys are given.
#include "lab/recall/given_keys.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::recall {
namespace {

TEST(GivenKeys, HaveTheCosineThatWasAskedFor) {
  for (const double cosine : {0.0, 0.36}) {
    PairSource source(64, cosine, 3);
    double sum = 0;
    for (int i = 0; i < 200; ++i) {
      const std::vector<float> a = source.key(), b = source.key();
      double product = 0, squares = 0;
      for (std::size_t j = 0; j < a.size(); ++j) product += a[j] * b[j], squares += a[j] * a[j];
      EXPECT_NEAR(squares, 1, 1e-5);
      sum += product / 200;
    }
    EXPECT_NEAR(sum, cosine, 0.06);
  }
}

TEST(GivenKeys, AMemoryHoldsFewPairsAndNotMany) {
  const auto share = [](int pairs) {
    const RulePointer memory = library_rule(writing_always(32, kValueSize), 0.5);
    return hold_pairs(*memory, 32, 0, pairs, 5).accuracy;
  };
  EXPECT_EQ(share(4), 1);
  EXPECT_LT(share(200), 0.7);
}

// the reason for surprise inflation, and for re-binding as a benchmark
TEST(GivenKeys, PlainLeastSquaresAndHebbAverageWhatIsBoundAgain) {
  const RulePointer squares = library_rule(writing_always(41, kValueSize, WriteRule::least_squares), 1);
  const RulePointer inflated = library_rule(changing_squares(41, kValueSize), 1), hebb = hebb_rule(64, kValueSize);
  EXPECT_LT(rebind_pairs(*squares, 41, 0, 24, 5).changed, 0.8);
  EXPECT_LT(rebind_pairs(*hebb, 64, 0, 24, 5).changed, 0.8);
  const Recalled r = rebind_pairs(*inflated, 41, 0, 24, 5);
  EXPECT_GE(r.changed, 0.95);
  EXPECT_GE(r.accuracy, 0.95);
}

TEST(GivenKeys, WritingOnSurpriseRecallsAsMuchWithFewWrites) {
  AssociativeMemory memory = changing_squares(41, kValueSize);
  const RecurringOptions options{.keys = 41, .pairs = 24, .steps = 2000};
  const RulePointer always = library_rule(memory, 1);
  memory.gate.threshold = 0.5;
  const RulePointer gated = library_rule(memory, 1);
  const Recalled all = follow_pairs(*always, options, 7), few = follow_pairs(*gated, options, 7);
  EXPECT_GE(few.accuracy, all.accuracy - 0.005);
  EXPECT_LE(few.write_share, 0.1);
  EXPECT_EQ(all.write_share, 1);
}

TEST(GivenKeys, NeedlesSurviveJunkIfKeysMustBeSeenTwice) {
  AssociativeMemory memory = writing_always(128, kValueSize);
  memory.gate = {.policy = WritePolicy::seen_twice, .threshold = 0.5, .sightings = 128};
  const NeedleOptions options{.keys = 128, .steps = 3000, .junk = 0.1};
  const RulePointer twice = library_rule(memory, 1);
  const std::vector<NeedlePoint> points = find_needles(*twice, options, 9);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points.back().steps, 3000);
  EXPECT_GE(points.back().accuracy, 0.95);
  memory.gate.policy = WritePolicy::surprise;
  const RulePointer once = library_rule(memory, 1);
  EXPECT_LT(find_needles(*once, options, 9).back().accuracy, 0.9) << "junk takes their place";
}

}  // namespace
}  // namespace elastane::recall
