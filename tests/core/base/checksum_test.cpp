// Tests of elastane/core/base/checksum.h.
#include "elastane/core/base/checksum.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

namespace elastane {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Crc32, HasTheCheckValueOfTheStandard) {
  EXPECT_EQ(crc32(bytes_of("123456789")), 0xCBF43926U);
  EXPECT_EQ(crc32({}), 0U);
}

TEST(Crc32, ContinuesFromItsSeed) {
  EXPECT_EQ(crc32(bytes_of("56789"), crc32(bytes_of("1234"))), crc32(bytes_of("123456789")));
}

TEST(Hash64, TellsLengthsAndSingleBitsApart) {
  std::set<std::uint64_t> seen;
  std::vector<std::byte> bytes(37);
  for (std::size_t n = 0; n <= bytes.size(); ++n) EXPECT_TRUE(seen.insert(hash64({bytes.data(), n})).second) << n;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_TRUE(seen.insert(hash64(bytes)).second) << bit;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

TEST(Hash64, TellsSeedsApart) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) EXPECT_TRUE(seen.insert(hash64(bytes_of("elastane"), seed)).second);
}

}  // namespace
}  // namespace elastane
