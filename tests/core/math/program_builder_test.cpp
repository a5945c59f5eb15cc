// Tests of elastane/core/math/program_builder.cpp: which operations are fixed, and what finish() finds out.
#include "elastane/core/math/program_builder.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/floats.h"

namespace elastane {
namespace {

TEST(ProgramBuilder, TellsWhatIsActiveFromWhatIsFixed) {
  ProgramBuilder ops(true);
  const Register given = ops.input(16, false), x = ops.input(16, true);
  const Register gate = ops.activate(Curve::sigmoid, given), y = ops.multiply(gate, x);
  EXPECT_FALSE(ops.active(gate));
  EXPECT_TRUE(ops.active(y));
  EXPECT_EQ(ops.moving(), 1);
}

TEST(ProgramBuilder, WritesAdjointsOfOneReaderAndClearsNothing) {
  const Floats weights(16 * 16);
  const PackedMatrix w{.data = reinterpret_cast<const std::byte*>(weights.data()), .rows = 16, .cols = 16};
  ProgramBuilder ops(true);
  const Register x = ops.input(16, true);
  const Register y = ops.activate(Curve::tanh, ops.linear(w, nullptr, x, 16));
  const Program program = ops.finish({&y, 1});
  EXPECT_TRUE(program.cleared.empty());
  EXPECT_FALSE(std::get<Linear>(program.moving[0]).x.add);
  EXPECT_EQ(program.backward, (std::vector<int>{1, 0}));
}

TEST(ProgramBuilder, LeavesOutBackwardsWhatNoOutputDependsOn) {
  ProgramBuilder ops(true);
  const Register x = ops.input(16, true), unread = ops.input(16, true);
  ops.multiply(x, unread);
  const Register y = ops.activate(Curve::tanh, x);
  const Program program = ops.finish({&y, 1});
  EXPECT_EQ(program.backward, std::vector<int>{1});
  ASSERT_EQ(program.cleared.size(), 1U);
  EXPECT_EQ(program.cleared[0].offset, unread.offset);
}

}  // namespace
}  // namespace elastane
