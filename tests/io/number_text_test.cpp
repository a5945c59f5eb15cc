// elastane/io/number_text.cpp
#include "elastane/io/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

namespace elastane {
namespace {

TEST(NumberText, IsAsShortAsPossible) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(1), "1");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-12.5), "-12.5");
  EXPECT_EQ(number_text(123456789), "123456789");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333333333333333");
}

TEST(NumberText, HasAnExponentOnlyFarFromOne) {
  EXPECT_EQ(number_text(1e-4), "0.0001");
  EXPECT_EQ(number_text(1.5e-5), "1.5e-05");
  EXPECT_EQ(number_text(1e15), "1000000000000000");
  EXPECT_EQ(number_text(1e16), "1e+16");
  EXPECT_EQ(number_text(-2.5e300), "-2.5e+300");
  EXPECT_EQ(number_text(5e-324), "5e-324");
}

TEST(NumberText, IsExactWhenReadBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(std::strtod(number_text(value).c_str(), nullptr), value) << value;
  }
}

TEST(NumberText, FixedDigitsAreRounded) {
  std::string text;
  append_fixed(12.34, 1, text += "a ");
  append_fixed(0, 1, text += ' ');
  append_fixed(99.96, 1, text += ' ');
  EXPECT_EQ(text, "a 12.3 0.0 100.0");
}

TEST(NumberText, DatesAreInUtc) {
  EXPECT_EQ(date_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(date_text(1714566600), "2024-05-01T12:30:00Z");
  EXPECT_EQ(date_text(1714566600.25), "2024-05-01T12:30:00.250000Z");
  EXPECT_EQ(date_text(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(date_text(1e12), "1000000000000");  // no year of four digits
}

}  // namespace
}  // namespace elastane
