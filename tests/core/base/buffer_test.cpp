// Tests of elastane/core/base/buffer.h.
#include "elastane/core/base/buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace elastane {
namespace {

TEST(Buffer, IsZeroedAlignedAndWholeCacheLines) {
  const Buffer buffer(70);
  EXPECT_EQ(buffer.size(), 128U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % kAlignment, 0U);
  for (std::size_t i = 0; i < buffer.size(); ++i) ASSERT_EQ(buffer.data()[i], std::byte{0});
}

TEST(Buffer, OfNothingHasNoMemory) {
  EXPECT_EQ(Buffer(0).data(), nullptr);
  EXPECT_EQ(Buffer(Buffer()).size(), 0U);
}

TEST(Buffer, CopiesBytesAndMovesTheBlock) {
  Buffer buffer(64);
  buffer.data()[3] = std::byte{7};
  Buffer copy(buffer);
  copy.data()[3] = std::byte{8};
  EXPECT_EQ(buffer.data()[3], std::byte{7});
  const std::byte* at = copy.data();
  buffer = std::move(copy);
  EXPECT_EQ(buffer.data(), at);
  EXPECT_EQ(buffer.data()[3], std::byte{8});
}

TEST(RoundUp, GivesTheNextMultiple) {
  EXPECT_EQ(round_up(0, 64), 0U);
  EXPECT_EQ(round_up(1, 64), 64U);
  EXPECT_EQ(round_up(64, 64), 64U);
  EXPECT_EQ(round_up(65, 64), 128U);
}

}  // namespace
}  // namespace elastane
