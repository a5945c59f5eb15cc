// lab/recall/memory_rule.cpp: the library's memory and the rules it is compared with.
#include "lab/recall/memory_rule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::recall {
namespace {

using Vector = std::vector<float>;

Vector unit(int n, int at) {
  Vector x(static_cast<std::size_t>(n));
  x[static_cast<std::size_t>(at)] = 1;
  return x;
}

std::vector<RulePointer> every_rule() {
  std::vector<RulePointer> rules;
  rules.push_back(library_rule(writing_always(6, 3), 1));
  rules.push_back(library_rule(changing_squares(6, 3), 1));
  rules.push_back(random_rule(writing_always(6, 3), 1, 1, 5));
  rules.push_back(hebb_rule(6, 3));
  rules.push_back(momentum_rule(6, 3, {.rate = 1, .momentum = 0}));
  rules.push_back(diagonal_rule(6, 3, 1e-3));
  return rules;
}

TEST(MemoryRule, EveryRuleRecallsAPairThatItSaw) {
  for (const RulePointer& rule : every_rule()) {
    const Vector value = {1, -2, 0.5F};
    EXPECT_TRUE(rule->write(unit(6, 2), value));
    Vector found(3);
    rule->recall(unit(6, 2), found);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], value[i], 0.1);
    rule->recall(unit(6, 3), found);
    for (const float x : found) EXPECT_NEAR(x, 0, 1e-6) << "of another key nothing is known";
    EXPECT_GT(rule->bytes(), 0u);
    EXPECT_GT(rule->macs(true), 0);
  }
}

TEST(MemoryRule, ANetworkLearnsAPairInSomeSteps) {
  const RulePointer rule = network_rule(6, 16, 3, {.rate = 0.05, .momentum = 0.5}, 3);
  const Vector value = {1, -1, 1};
  for (int t = 0; t < 200; ++t) rule->write(unit(6, 1), value);
  Vector found(3);
  rule->recall(unit(6, 1), found);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], value[i], 0.1);
}

TEST(MemoryRule, ChanceWritesItsShare) {
  const RulePointer rule = random_rule(writing_always(4, 2), 1, 0.1, 7);
  int writes = 0;
  for (int t = 0; t < 5000; ++t) writes += rule->write(unit(4, t % 4), Vector{static_cast<float>(t), 1}) ? 1 : 0;
  EXPECT_NEAR(writes, 500, 80);
}

TEST(MemoryRule, HeadsEachHoldTheirPartOfAValue) {
  const RulePointer two = heads_rule(2, writing_always(3, 2), 1);
  const Vector key = {3, 0, 0, 0, 4, 0}, value = {1, 2, 3, 4};
  EXPECT_TRUE(two->write(key, value));
  Vector found(4);
  two->recall(key, found);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], value[i], 1e-5) << "each part of the key counts as a unit";
  EXPECT_EQ(two->bytes(), 2 * library_rule(writing_always(3, 2), 1)->bytes());
  const Vector none(6);
  EXPECT_TRUE(two->write(none, value)) << "a key of zeros is a step that changes nothing";
  two->recall(key, found);
  EXPECT_NEAR(found[0], value[0], 1e-5);
}

}  // namespace
}  // namespace elastane::recall
