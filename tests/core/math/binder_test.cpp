// Tests of elastane/core/math/binder.cpp.
#include "elastane/core/math/binder.h"

#include <gtest/gtest.h>

#include <vector>

#include "elastane/core/base/buffer.h"

namespace elastane {
namespace {

struct Bound {
  PackedMatrix matrix;
  const float* bias;
  const double* doubles;
};

Bound declare(Binder& binder) {
  binder.enter("block.");
  Bound bound{};
  bound.matrix = binder.matrix("weight", {2, 3}, 2);
  bound.bias = binder.vector("bias", {2, 3}, constant(0));
  bound.doubles = binder.doubles(3, [](int i) { return 0.5 * i; });
  return bound;
}

std::vector<Tensor> tensors() {
  Tensor weight{"block.weight", {5, 2}, {}}, bias{"block.bias", {5}, {}};
  for (int i = 0; i < 10; ++i) weight.values.push_back(static_cast<float>(i));
  for (int i = 0; i < 5; ++i) bias.values.push_back(static_cast<float>(10 * i));
  return {weight, bias};
}

TEST(Binder, DeclaresNamesAndShapesInItsFirstPass) {
  Binder first(Precision::float32);
  declare(first);
  ASSERT_EQ(first.specs().size(), 2U);
  EXPECT_EQ(first.specs()[0].name, "block.weight");
  EXPECT_EQ(first.specs()[0].shape, (Shape{5, 2}));
  EXPECT_TRUE(first.specs()[0].matrix);
  EXPECT_EQ(first.specs()[1].name, "block.bias");
  EXPECT_GT(first.bytes(), 0U);
}

TEST(Binder, FillsPaddedGroupsInItsSecondPass) {
  Binder first(Precision::float32);
  declare(first);
  Buffer block(first.bytes());
  const std::vector<Tensor> given = tensors();
  Binder second(Precision::float32, given, block);
  const Bound bound = declare(second);
  EXPECT_EQ(second.bytes(), first.bytes());
  // rows of the second group begin at the next whole vector
  EXPECT_EQ(element(bound.matrix, 1, 1), 3.0F);
  EXPECT_EQ(element(bound.matrix, kLane, 0), 4.0F);
  EXPECT_EQ(element(bound.matrix, 2, 0), 0.0F);
  EXPECT_EQ(bound.bias[1], 10.0F);
  EXPECT_EQ(bound.bias[kLane], 20.0F);
  EXPECT_EQ(bound.doubles[2], 1.0);
}

TEST(Binder, NotesWhatProductsMaySkip) {
  const auto packed = [](std::vector<float> values, int rows, int cols) {
    const std::vector<Tensor> given = {{"w", {rows, cols}, std::move(values)}};
    Buffer block(1 << 12);
    Binder binder(Precision::float32, given, block);
    const PackedMatrix w = binder.matrix("w", {rows}, cols);
    return PackedMatrix{.zero_cols = w.zero_cols, .identity = w.identity};
  };
  EXPECT_TRUE(packed({1, 0, 0, 1, 0, 0}, 3, 2).identity);
  EXPECT_FALSE(packed({1, 0, 0, 0, 1, 0}, 2, 3).identity) << "its padding would get the third value";
  EXPECT_FALSE(packed({1, 0, 0, 2}, 2, 2).identity);
  EXPECT_EQ(packed({1, 0, 0, 0, 1, 0}, 2, 3).zero_cols, 1);
  EXPECT_EQ(packed({1, 0, 1, 0, 1, 0}, 2, 3).zero_cols, 0);
  EXPECT_EQ(packed({0, 0, 0, 0}, 2, 2).zero_cols, 1) << "at least one column is read";
}

}  // namespace
}  // namespace elastane
