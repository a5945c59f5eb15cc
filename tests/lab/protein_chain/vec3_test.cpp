// lab/protein_chain/vec3.h
#include "lab/protein_chain/vec3.h"

#include <gtest/gtest.h>

namespace elastane::protein_chain {
namespace {

TEST(Vec3, ACrossProductIsNormalToBothFactorsAndAsLongAsTheirParallelogram) {
  const Vec3 a{1, -2, 0.5}, b{0.3, 4, -1}, c = cross(a, b);
  EXPECT_NEAR(dot(a, c), 0, 1e-12);
  EXPECT_NEAR(dot(b, c), 0, 1e-12);
  EXPECT_NEAR(dot(c, c), dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b), 1e-12);
}

TEST(Vec3, AUnitVectorHasLengthOneAndTheSameDirection) {
  const Vec3 a{3, 0, -4}, u = unit(a);
  EXPECT_NEAR(length(u), 1, 1e-15);
  EXPECT_NEAR(dot(a, u), 5, 1e-12);
}

TEST(Vec3, SumsAndDifferencesAreByElement) {
  Vec3 a{1, 2, 3};
  a += {1, 1, 1};
  a -= 2 * Vec3{0, 1, 0};
  EXPECT_EQ(a.x, 2);
  EXPECT_EQ(a.y, 1);
  EXPECT_EQ(a.z, 4);
}

}  // namespace
}  // namespace elastane::protein_chain
