// Tests of elastane/core/base/result.cpp.
#include "elastane/core/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace elastane {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{"expected an even number, found " + std::to_string(n)};
  return n / 2;
}

Status check(int n) {
  if (n < 0) return Error{"expected a positive number"};
  return {};
}

Result<int> quarter(int n) {
  ELASTANE_TRY(check(n));
  ELASTANE_TRY_ASSIGN(const int first, half(n));
  ELASTANE_TRY_ASSIGN(int second, half(first));
  return second;
}

TEST(Result, HoldsAValueOrTheReasonWhyNot) {
  EXPECT_TRUE(half(4));
  EXPECT_EQ(*half(4), 2);
  ASSERT_FALSE(half(3));
  EXPECT_EQ(half(3).error(), "expected an even number, found 3");
  EXPECT_THROW(half(3).value(), std::runtime_error);
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> value = *std::move(result);
  EXPECT_EQ(*value, 7);
}

TEST(Status, SucceedsUnlessItHasAnError) {
  EXPECT_TRUE(check(1));
  ASSERT_FALSE(check(-1));
  EXPECT_THROW(check(-1).value(), std::runtime_error);
}

TEST(Try, PassesErrorsOnAndValuesThrough) {
  EXPECT_EQ(quarter(8).value(), 2);
  EXPECT_EQ(quarter(-8).error(), "expected a positive number");
  EXPECT_EQ(quarter(3).error(), "expected an even number, found 3");
  EXPECT_EQ(quarter(6).error(), "expected an even number, found 3");
}

}  // namespace
}  // namespace elastane
