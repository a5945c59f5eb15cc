// elastane/planners/eigen_view.h: Eigen reads and writes our arrays in place.
#include "elastane/planners/eigen_view.h"

#include <gtest/gtest.h>

namespace elastane::planners {
namespace {

TEST(EigenView, IsRowMajorAndWritesInPlace) {
  Matrix m(2, 3);
  as_eigen(m)(1, 0) = 4;
  EXPECT_EQ(m.row(1)[0], 4);
  const Matrix& same = m;
  EXPECT_EQ(as_eigen(same).rows(), 2);
  EXPECT_EQ(as_eigen(same)(1, 0), 4);
  std::vector<double> x = {1, 2};
  as_eigen(x) *= 3;
  EXPECT_EQ(x[1], 6);
}

}  // namespace
}  // namespace elastane::planners
