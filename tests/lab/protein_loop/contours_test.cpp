// lab/protein_loop/contours.h
#include "lab/protein_loop/contours.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/data.h"

namespace elastane::protein_loop {
namespace {

TEST(Contours, AFolderWithoutTheFilesHasNone) { EXPECT_FALSE(Contours::read("no/such/folder")); }

TEST(Contours, AHelixIsAllowedAndACrowdedPairIsAnOutlier) {
  const auto contours = Contours::read(data_folder() + "/ramachandran");
  if (!contours) GTEST_SKIP() << "no contours";
  constexpr double kDegree = std::numbers::pi / 180;
  using protein_chain::Class;
  EXPECT_FALSE(contours->is_outlier(Class::general, -63 * kDegree, -42 * kDegree));
  EXPECT_TRUE(contours->is_outlier(Class::general, 0, 0));
  EXPECT_TRUE(contours->is_outlier(Class::pro, 60 * kDegree, 60 * kDegree));
}

}  // namespace
}  // namespace elastane::protein_loop
