// bench/rival.cpp: deviations, files for rivals, and rivals that do not exist.
#include "bench/rival.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace elastane::bench {
namespace {

TEST(Deviation, IsRelativeToTheLargestExpectedValue) {
  const std::vector<float> expected = {1, -4, 2}, found = {1, -4, 3};
  EXPECT_DOUBLE_EQ(deviation(found, expected), 0.25);
  EXPECT_EQ(deviation(expected, expected), 0);
  EXPECT_TRUE(std::isinf(deviation({}, expected)));
}

TEST(RivalFile, IsRemovedWithTheObject) {
  std::string path;
  {
    const RivalFile file(Json{{"a", 1}});
    path = file.path();
    std::ifstream stream(path);
    EXPECT_EQ(Json::parse(stream)["a"], 1);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Rival, ThatDoesNotExistGivesNoAnswer) {
  EXPECT_FALSE(rival_exists("elastane-nothing"));
  EXPECT_FALSE(ask_rival("elastane-nothing", "").has_value());
}

}  // namespace
}  // namespace elastane::bench
