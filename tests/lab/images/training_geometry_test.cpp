// Tests of lab/images/training_geometry.cpp: cosines, distances, and depths that are not there.
#include "lab/images/training_geometry.h"

#include <gtest/gtest.h>

namespace elastane::images {
namespace {

// h grows along one direction: all cosines are 1 although nothing converges
TEST(ImageGeometry, CosinesDoNotSeeGrowth) {
  const auto network = make_network(find_method("recursion"), 4, 8, 1);
  std::vector<at::Tensor> states;
  for (int t = 1; t <= 48; ++t) states.push_back(at::full({2, 8}, static_cast<double>(t)));
  GeometrySums sums(16);
  sums.add(*network, states, at::zeros({2}, at::kLong));
  const Geometry mean = sums.mean();
  EXPECT_NEAR(mean.cosine[0], 1, 1e-6);
  EXPECT_NEAR(mean.distance[0], 47.0 / 48, 1e-6);
  EXPECT_NEAR(mean.norm[2] / mean.norm[0], 48, 1e-4);
  EXPECT_EQ(mean.values().size(), 6U + 6 + 3 + 5);
}

TEST(ImageGeometry, DepthsThatAreNotThereAreMarked) {
  const auto network = make_network(find_method("depth_1"), 4, 8, 1);
  GeometrySums sums(1);
  sums.add(*network, {at::ones({2, 8})}, at::zeros({2}, at::kLong));
  const Geometry mean = sums.mean();
  EXPECT_EQ(mean.cosine[1], -1);
  EXPECT_EQ(mean.accuracy[2], -1);
  EXPECT_EQ(mean.accuracy_at_3t, -1);
  EXPECT_GE(mean.accuracy[0], 0);
}

}  // namespace
}  // namespace elastane::images
