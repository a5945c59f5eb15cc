// Tests of elastane/core/base/arena.h.
#include "elastane/core/base/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace elastane {
namespace {

struct Arrays {
  int latents = 0;
  double* z = nullptr;
  DoubleRows rows = {};
  Rows floats = {};
  int* counts = nullptr;

  void lay_out(Cutter& cutter) {
    z = cutter.doubles(latents);
    rows = cutter.double_rows(3, latents);
    floats = cutter.float_rows(2, latents);
    counts = cutter.array<int>(1);
  }
};

template <class T>
std::ptrdiff_t offset(const Arena<Arrays>& arena, const T* array) {
  return reinterpret_cast<const std::byte*>(array) - arena.block();
}

void fill(Arena<Arrays>& arena, double value) {
  for (int i = 0; i < arena.latents; ++i) arena.z[i] = value + i;
  for (int r = 0; r < 3; ++r) arena.rows[r][0] = value * r;
  arena.floats[1][0] = static_cast<float>(value);
  arena.counts[0] = static_cast<int>(value);
}

TEST(Cutter, PutsEveryArrayOnItsOwnCacheLines) {
  const Arena<Arrays> arena(9);
  EXPECT_EQ(offset(arena, arena.z), 0);
  EXPECT_EQ(offset(arena, arena.rows.data), 128);              // 9 doubles, on two lines
  EXPECT_EQ(offset(arena, arena.floats.data), 128 + 3 * 128);  // three rows of 16 doubles
  EXPECT_EQ(offset(arena, arena.counts), 512 + 2 * 64);
  EXPECT_EQ(arena.bytes(), 512 + 128 + 64);
  EXPECT_EQ(arena.rows.stride, 16);
  EXPECT_EQ(arena.floats.stride, 16);
}

TEST(Cutter, MeasuresWithoutABlock) {
  EXPECT_EQ(measure(Arrays{9}), Arena<Arrays>(9).bytes());
  EXPECT_EQ(measure(Arrays{0}), 64U);
  Cutter cutter;
  EXPECT_EQ(cutter.doubles(5), nullptr);
  EXPECT_EQ(cutter.used_doubles(), 8U);
}

TEST(Arena, BeginsWithZeros) {
  const Arena<Arrays> arena(9);
  for (std::size_t i = 0; i < arena.bytes(); ++i) ASSERT_EQ(arena.block()[i], std::byte{0});
}

TEST(Arena, CopiesAreEqualAndIndependent) {
  Arena<Arrays> arena(9);
  fill(arena, 5);
  Arena<Arrays> copy(arena);
  ASSERT_NE(copy.block(), arena.block());
  EXPECT_EQ(offset(copy, copy.rows.data), offset(arena, arena.rows.data));
  EXPECT_EQ(std::memcmp(copy.block(), arena.block(), arena.bytes()), 0);
  fill(arena, 7);
  EXPECT_EQ(copy.z[8], 13.0);
  EXPECT_EQ(copy.rows[2][0], 10.0);
  EXPECT_EQ(copy.floats[1][0], 5.0F);
  EXPECT_EQ(copy.counts[0], 5);
}

TEST(Arena, AssignmentTakesSizesAndBytes) {
  Arena<Arrays> arena(9), other(2);
  fill(arena, 5);
  other = arena;
  EXPECT_EQ(other.latents, 9);
  EXPECT_EQ(offset(other, other.z), 0);
  EXPECT_EQ(std::memcmp(other.block(), arena.block(), arena.bytes()), 0);
}

TEST(Arena, MovesWithoutMovingItsArrays) {
  Arena<Arrays> arena(9);
  fill(arena, 5);
  const double* z = arena.z;
  const Arena<Arrays> moved(std::move(arena));
  EXPECT_EQ(moved.z, z);
  EXPECT_EQ(offset(moved, moved.z), 0);
}

}  // namespace
}  // namespace elastane
