// lab/recall/associations.cpp: what sequences of pairs, of keys bound again and of strings ask for.
#include "lab/recall/associations.h"

#include <gtest/gtest.h>

#include <map>

namespace elastane::recall {
namespace {

TEST(Associations, EveryQueryOfMqarAsksForTheValueBehindItsKey) {
  for (const auto& [length, pairs] : {std::pair{64, 16}, {128, 32}, {256, 64}, {64, 4}}) {
    const AssociationOptions o{.length = length, .pairs = pairs};
    const AssociationSequence s = draw_associations(o, 5);
    ASSERT_EQ(s.size(), static_cast<std::size_t>(length));
    std::map<int, int> bound;
    for (int i = 0; i < pairs; ++i) {
      bound[s[static_cast<std::size_t>(2 * i)].symbol] = s[static_cast<std::size_t>(2 * i + 1)].symbol;
    }
    EXPECT_EQ(bound.size(), static_cast<std::size_t>(pairs)) << "keys are distinct";
    int queries = 0;
    for (const AssociationStep& step : s) {
      EXPECT_TRUE(step.symbol >= 0 && step.symbol < input_size(o));
      if (step.target < 0) continue;
      ++queries;
      EXPECT_EQ(step.target, bound.at(step.symbol));
    }
    EXPECT_EQ(queries, pairs);
  }
}

TEST(Associations, RebindAsksForTheNewestValue) {
  const AssociationOptions o{.task = AssociationTask::rebind, .pairs = 24, .vocabulary = 128};
  std::map<int, int> newest, times;
  int changed = 0, asked = 0;
  for (const AssociationStep& step : draw_associations(o, 7)) {
    if (step.target < 0) {
      newest[step.symbol] = step.second - 24;
      times[step.symbol] += 1;
    } else {
      EXPECT_EQ(step.target, newest.at(step.symbol));
      EXPECT_EQ(step.changed, times.at(step.symbol) == 2);
      EXPECT_EQ(step.second, input_size(o) - 1);
      changed += step.changed ? 1 : 0;
      ++asked;
    }
  }
  EXPECT_EQ(asked, 24);
  EXPECT_EQ(changed, 12);
}

TEST(Associations, ACopyComesAfterTheSecondBar) {
  const AssociationSequence s = draw_associations({.task = AssociationTask::copy, .length = 5}, 9);
  ASSERT_EQ(s.size(), 11u);
  EXPECT_EQ(s[0].symbol, kLetters);
  EXPECT_EQ(s[6].symbol, kLetters);
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_EQ(s[6 + t].target, s[1 + t].symbol);
    EXPECT_EQ(s[t].target, -1);
  }
}

}  // namespace
}  // namespace elastane::recall
