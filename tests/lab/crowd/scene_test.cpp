// lab/crowd/scene.h: scenes by chance are as CrowdNav draws them; files that are none are refused.
#include "lab/crowd/scene.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/io/folder.h"

namespace elastane::crowd {
namespace {

constexpr const char* kHeader = "case,human,px,py,gx,gy\n";

std::string refusal(const std::string& text) {
  const Folder folder;
  std::ofstream(folder / "cases.csv") << text;
  const auto scenes = read_scenes(folder / "cases.csv");
  return scenes ? "" : scenes.error();
}

TEST(Scene, PeopleCrossTheCircleAndBeginApart) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Scene scene = random_scene(seed);
    ASSERT_EQ(scene.people.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
      const Walk& walk = scene.people[i];
      EXPECT_EQ(walk.goal, -walk.start);
      EXPECT_NEAR(norm(walk.start), 4, 0.75);
      EXPECT_GE(norm(walk.start - kRobotStart), 0.8);
      for (std::size_t j = 0; j < i; ++j) EXPECT_GE(norm(walk.start - scene.people[j].start), 0.8);
    }
  }
}

TEST(Scene, IsTheSameForASeedAndAnotherForAnother) {
  EXPECT_EQ(random_scene(7).people[3].start, random_scene(7).people[3].start);
  EXPECT_FALSE(random_scene(7).people[3].start == random_scene(8).people[3].start);
}

TEST(Scene, CasesAreReadInTheirOrder) {
  const Folder folder;
  std::ofstream(folder / "cases.csv") << kHeader << "4,0,1,2,3,4\n4,1,5,6,7,8\n2,0,9,8,7,6\n2,1,5,4,3,2\n";
  const auto scenes = read_scenes(folder / "cases.csv").value();
  ASSERT_EQ(scenes.size(), 2U);
  EXPECT_EQ(scenes[0].people[1].start, (planners::Vec2{5, 6}));
  EXPECT_EQ(scenes[1].people[0].goal, (planners::Vec2{7, 6}));
}

TEST(Scene, AFileThatIsMissingIsNamed) {
  const auto scenes = read_scenes("/nowhere/cases.csv");
  ASSERT_FALSE(scenes);
  EXPECT_NE(scenes.error().find("/nowhere/cases.csv"), std::string::npos);
}

TEST(Scene, OtherColumnsAreNamed) {
  EXPECT_NE(refusal("case,human,x,y\n0,0,1,2\n")
                .find("expected the columns case, human, px, py, gx, gy, found case, human, x, y"),
            std::string::npos);
}

TEST(Scene, WhatIsNoPlaceIsRefusedWithItsRow) {
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,2,3,4\n0,1,nan,2,3,4\n").find("row 2, px"), std::string::npos);
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,2,,4\n").find("row 1, gx"), std::string::npos);
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,2,1e9,4\n").find("row 1, gx"), std::string::npos);
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,left,3,4\n").find("py"), std::string::npos);
}

TEST(Scene, CasesOfSeveralSizesAndNoneAreRefused) {
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,2,3,4\n1,0,1,2,3,4\n1,1,5,2,3,4\n").find("as many people"),
            std::string::npos);
  EXPECT_NE(refusal(kHeader), "");
}

}  // namespace
}  // namespace elastane::crowd
