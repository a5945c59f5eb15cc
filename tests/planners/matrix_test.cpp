// elastane/planners/matrix.h: rows, views and copies.
#include "elastane/planners/matrix.h"

#include <gtest/gtest.h>

namespace elastane::planners {
namespace {

TEST(Matrix, RowsAndViewsShareItsValues) {
  Matrix m(2, 3);
  m.fill(1);
  m.row(1)[2] = 7;
  EXPECT_EQ(m.view()[1][2], 7);
  EXPECT_EQ(m.values()[5], 7);
  EXPECT_EQ(m.rows(), 2);
  EXPECT_EQ(m.columns(), 3);
}

TEST(Matrix, CopiesAreIndependent) {
  Matrix m(1, 2);
  const Matrix copy = m;
  m.row(0)[0] = 5;
  EXPECT_EQ(copy.row(0)[0], 0);
}

}  // namespace
}  // namespace elastane::planners
