// Tests of elastane/core/latent/stack_rows.h.
#include "elastane/core/latent/stack_rows.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace elastane {
namespace {

constexpr StackPart kPart{.offset = 2, .state = {.dense = 0, .rows = 2, .n = 3}};
constexpr Register kRegister{.offset = 16, .n = kLane + 3};  // two padded rows

TEST(StackRows, WritePadsEveryRowWithZeros) {
  const std::array<double, 8> carried = {9, 9, 1, 2, 3, 4, 5, 6};
  std::vector<float> tape(64, 7.0F);
  write_part(kPart, kRegister, carried.data(), tape.data());
  for (int i = 0; i < 2 * kLane; ++i) {
    const int row = i / kLane, at = i % kLane;
    EXPECT_EQ(tape[16 + i], at < 3 ? static_cast<float>(3 * row + at + 1) : 0.0F) << i;
  }
  EXPECT_EQ(tape[15], 7.0F);
  EXPECT_EQ(tape[16 + 2 * kLane], 7.0F);
}

TEST(StackRows, ReadUndoesWrite) {
  const std::array<double, 8> carried = {0, 0, 1, 2, 3, 4, 5, 6};
  std::array<double, 8> read{};
  std::vector<double> tape(64);
  write_part(kPart, kRegister, carried.data(), tape.data());
  read_part(kPart, kRegister, tape.data(), read.data());
  EXPECT_EQ(read, carried);
}

TEST(StackRows, FindsATapInItsRing) {
  std::vector<float> dense(64);
  const StackPart tap{.state = {.dense = 8, .rows = 1, .n = 3, .taps = 3, .lag = 1}};
  for (std::uint64_t position = 0; position < 7; ++position) {
    const std::ptrdiff_t slot = (static_cast<std::ptrdiff_t>(position % 3) + 3 - 1) % 3;
    EXPECT_EQ(part_of_state(tap, dense.data(), position), dense.data() + 8 + slot * kLane) << position;
  }
}

}  // namespace
}  // namespace elastane
