// Tests of elastane/core/backbone/description.cpp: what a block declares is what correctors are given.
#include "elastane/core/backbone/description.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

TEST(Description, StatesAreActiveWhereTheyMove) {
  ProgramBuilder ops(true);
  Description description(ops, false);
  const Register moves = description.state(0, 2, 5);
  description.latents_move = false;
  const Register given = description.state(64, 1, 5);
  EXPECT_TRUE(ops.active(moves));
  EXPECT_FALSE(ops.active(given));
  ASSERT_EQ(description.latents.size(), 2u);
  EXPECT_EQ(description.latents[1].part.dense, 64);
}

TEST(Description, AStepNamesWhatAStateBecomes) {
  ProgramBuilder ops(true);
  Description description(ops, true);
  const Register a = description.state(0, 1, 4), b = description.state(16, 1, 4);
  const Register next = ops.add(a, b);
  description.next(b, next);
  EXPECT_EQ(description.latents[0].after.offset, a.offset);
  EXPECT_EQ(description.latents[1].after.offset, next.offset);
}

TEST(Description, TapsMoveOnByOneStep) {
  ProgramBuilder ops(true);
  Description description(ops, true);
  const Register one = description.tap(32, 3, 1, 4);
  description.tap(32, 3, 2, 4);
  const Register x = ops.input(4, true);
  description.newest_tap(32, x);
  EXPECT_EQ(description.taps[0].after.offset, x.offset);    // of one step ago: this step's input
  EXPECT_EQ(description.taps[1].after.offset, one.offset);  // of two steps ago: what was one step ago
}

TEST(Description, NumbersWindowsInTheirOrder) {
  ProgramBuilder ops(true);
  Description description(ops, true);
  const Register k = ops.input(4, true), v = ops.input(4, true);
  EXPECT_EQ(description.window({.shape = {}, .begin = 0}, k, v), 0);
  EXPECT_EQ(description.window({.shape = {}, .begin = 128}, k, v), 1);
  EXPECT_EQ(description.windows[1].window.begin, 128);
}

}  // namespace
}  // namespace elastane
