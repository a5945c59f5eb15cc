// Tests of elastane/core/math/packed_matrix.h: the packed order and bfloat16.
#include "elastane/core/math/packed_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

TEST(PackedMatrix, GivesEveryElementAPlaceOfItsOwn) {
  for (const Precision precision : {Precision::float32, Precision::bfloat16, Precision::int8}) {
    for (const int rows : {16, 32, 48, 64, 80, 128, 144, 192}) {
      for (int cols = 1; cols <= 70; ++cols) {
        const PackedMatrix w{.data = nullptr, .rows = rows, .cols = cols, .precision = precision};
        const std::size_t scales = precision == Precision::int8 ? as_size(rows) * sizeof(float) : 0;
        const int each = precision == Precision::float32 ? 4 : precision == Precision::bfloat16 ? 2 : 1;
        EXPECT_EQ(w.bytes(), w.count() * each + scales);
        std::vector<bool> taken(w.count());
        for (int r = 0; r < rows; ++r) {
          for (int c = 0; c < w.stored_cols(); ++c) {
            ASSERT_LT(w.at(r, c), w.count());
            ASSERT_FALSE(taken[w.at(r, c)]) << rows << " x " << cols << " at " << r << ", " << c;
            taken[w.at(r, c)] = true;
          }
        }
      }
    }
  }
}

TEST(PackedMatrix, PutsTheRowsOfAPanelSideBySide) {
  const PackedMatrix w{.data = nullptr, .rows = 80, .cols = 5, .precision = Precision::float32};
  EXPECT_EQ(w.at(0, 0), 0U);
  EXPECT_EQ(w.at(1, 0), 1U);
  EXPECT_EQ(w.at(0, 1), 64U);
  EXPECT_EQ(w.at(64, 0), 64U * 8);  // five columns are stored as eight
  EXPECT_EQ(w.at(64, 1), 64U * 8 + 16);
}

TEST(PackedMatrix, PairsTheColumnsOfBfloat16) {
  const PackedMatrix w{.data = nullptr, .rows = 80, .cols = 5, .precision = Precision::bfloat16};
  EXPECT_EQ(w.at(0, 1), w.at(0, 0) + 1);
  EXPECT_EQ(w.at(1, 0), w.at(0, 0) + 2);
  EXPECT_EQ(w.at(0, 2), 128U);
}

TEST(PackedMatrix, PutsFourColumnsOfInt8IntoAWord) {
  const PackedMatrix w{.data = nullptr, .rows = 80, .cols = 5, .precision = Precision::int8};
  EXPECT_EQ(w.at(0, 3), 3U);
  EXPECT_EQ(w.at(1, 0), 4U);
  EXPECT_EQ(w.at(0, 4), 256U);
}

TEST(PackedMatrix, InInt8IsWithinHalfAStepOfEveryRowAndTheSameWhenRoundedAgain) {
  Random random(5);
  PackedMatrix w{.data = nullptr, .rows = 16, .cols = 7, .precision = Precision::int8};
  Buffer bytes(w.bytes());
  w.data = bytes.data();
  for (int r = 0; r < 16; ++r) {
    std::vector<float> row(7);
    const double size = std::pow(10.0, random.uniform(-6, 6));
    for (float& value : row) value = static_cast<float>(random.uniform(-size, size));
    if (r == 3) std::ranges::fill(row, 0.0F);
    pack_row(w, bytes.data(), r, row);
    std::vector<float> rounded = row;
    round_rows(Precision::int8, 7, rounded);
    for (int c = 0; c < 7; ++c) {
      EXPECT_NEAR(element(w, r, c), row[as_size(c)], 0.501 * w.scales()[r]);
      EXPECT_EQ(element(w, r, c), rounded[as_size(c)]);
    }
    std::vector<float> again = rounded;
    round_rows(Precision::int8, 7, again);
    for (int c = 0; c < 7; ++c) EXPECT_FLOAT_EQ(again[as_size(c)], rounded[as_size(c)]);
  }
  std::vector<float> bad = {1, 2, std::numeric_limits<float>::infinity(), 0, 0, 0, 0};
  pack_row(w, bytes.data(), 0, bad);
  EXPECT_TRUE(std::isnan(element(w, 0, 0)));
}

float bits(std::uint32_t value) { return std::bit_cast<float>(value); }

TEST(Bfloat16, RoundsToNearestAndTiesToEven) {
  EXPECT_EQ(to_bfloat16(1.0F), 0x3F80);
  EXPECT_EQ(to_bfloat16(-2.0F), 0xC000);
  EXPECT_EQ(to_bfloat16(bits(0x3F807FFF)), 0x3F80);  // below the middle
  EXPECT_EQ(to_bfloat16(bits(0x3F808000)), 0x3F80);  // the middle, even below
  EXPECT_EQ(to_bfloat16(bits(0x3F808001)), 0x3F81);  // above the middle
  EXPECT_EQ(to_bfloat16(bits(0x3F818000)), 0x3F82);  // the middle, even above
  EXPECT_EQ(to_bfloat16(bits(0xBF818000)), 0xBF82);
  EXPECT_EQ(to_bfloat16(bits(0x3FFFFFFF)), 0x4000);  // carries into the exponent
}

TEST(Bfloat16, KeepsZerosInfinitiesAndSubnormals) {
  EXPECT_EQ(to_bfloat16(0.0F), 0x0000);
  EXPECT_EQ(to_bfloat16(-0.0F), 0x8000);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::infinity()), 0x7F80);
  EXPECT_EQ(to_bfloat16(-std::numeric_limits<float>::infinity()), 0xFF80);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()), 0x7F80);  // nearest is the infinity
  EXPECT_EQ(to_bfloat16(bits(0x00010000)), 0x0001);
}

TEST(Bfloat16, KeepsNanANan) {
  for (const std::uint32_t nan : {0x7F800001U, 0x7FC00000U, 0xFF800001U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    const float back = from_bfloat16(to_bfloat16(bits(nan)));
    EXPECT_TRUE(std::isnan(back)) << std::hex << nan;
    EXPECT_EQ(std::signbit(back), std::signbit(bits(nan)));
  }
}

TEST(Bfloat16, IsTheNearestOfAllForRandomFloats) {
  Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    const float value = static_cast<float>(random.normal() * std::exp(random.uniform(-20, 20)));
    const std::uint16_t half = to_bfloat16(value);
    const double error = std::fabs(static_cast<double>(from_bfloat16(half)) - value);
    ASSERT_EQ(to_bfloat16(from_bfloat16(half)), half);
    for (const int step : {-1, 1}) {
      const float neighbour = from_bfloat16(static_cast<std::uint16_t>(half + step));
      ASSERT_LE(error, std::fabs(static_cast<double>(neighbour) - value)) << value;
    }
  }
}

}  // namespace
}  // namespace elastane
