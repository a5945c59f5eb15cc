// lab/crowd/episode.h: random episodes are drawn as in CrowdNav; bad files are refused.
#include "lab/crowd/episode.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/io/folder.h"

namespace elastane::crowd {
namespace {

constexpr const char* kHeader = "case,human,px,py,gx,gy\n";

std::string refusal(const std::string& text) {
  const Folder folder;
  std::ofstream(folder / "cases.csv") << text;
  const auto episodes = read_episodes(folder / "cases.csv");
  return episodes ? "" : episodes.error();
}

TEST(Episode, PeopleCrossTheCircleAndBeginApart) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Episode episode = draw_episode(seed);
    ASSERT_EQ(episode.people.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
      const Walk& walk = episode.people[i];
      EXPECT_EQ(walk.goal, -walk.start);
      EXPECT_NEAR(norm(walk.start), 4, 0.75);
      EXPECT_GE(norm(walk.start - kRobotStart), 0.8);
      for (std::size_t j = 0; j < i; ++j) EXPECT_GE(norm(walk.start - episode.people[j].start), 0.8);
    }
  }
}

TEST(Episode, CrowdsOfAnySizeBeginApart) {
  for (const Setting setting : {Setting::circle, Setting::square}) {
    for (const int people : {5, 10, 20}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Episode episode = draw_episode(seed, people, setting);
        ASSERT_EQ(episode.people.size(), static_cast<std::size_t>(people));
        for (std::size_t i = 0; i < episode.people.size(); ++i) {
          const Walk& walk = episode.people[i];
          EXPECT_GE(norm(walk.start - kRobotStart), 0.8);
          if (setting == Setting::square) {
            EXPECT_LE(walk.start.x * walk.goal.x, 0);
          }
          for (std::size_t j = 0; j < i; ++j) EXPECT_GE(norm(walk.start - episode.people[j].start), 0.8);
        }
      }
    }
  }
}

TEST(Episode, IsTheSameForASeedAndAnotherForAnother) {
  EXPECT_EQ(draw_episode(7).people[3].start, draw_episode(7).people[3].start);
  EXPECT_FALSE(draw_episode(7).people[3].start == draw_episode(8).people[3].start);
}

TEST(Episode, CasesAreReadInTheirOrder) {
  const Folder folder;
  std::ofstream(folder / "cases.csv") << kHeader << "4,0,1,2,3,4\n4,1,5,6,7,8\n2,0,9,8,7,6\n2,1,5,4,3,2\n";
  const auto episodes = read_episodes(folder / "cases.csv").value();
  ASSERT_EQ(episodes.size(), 2U);
  EXPECT_EQ(episodes[0].people[1].start, (planners::Vec2{5, 6}));
  EXPECT_EQ(episodes[1].people[0].goal, (planners::Vec2{7, 6}));
}

TEST(Episode, AFileThatIsMissingIsNamed) {
  const auto episodes = read_episodes("/nowhere/cases.csv");
  ASSERT_FALSE(episodes);
  EXPECT_NE(episodes.error().find("/nowhere/cases.csv"), std::string::npos);
}

TEST(Episode, OtherColumnsAreNamed) {
  EXPECT_NE(refusal("case,human,x,y\n0,0,1,2\n")
                .find("expected the columns case, human, px, py, gx, gy, found case, human, x, y"),
            std::string::npos);
}

TEST(Episode, ABadNumberIsRefusedWithItsRow) {
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,2,3,4\n0,1,nan,2,3,4\n").find("row 2, px"), std::string::npos);
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,2,,4\n").find("row 1, gx"), std::string::npos);
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,2,1e9,4\n").find("row 1, gx"), std::string::npos);
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,left,3,4\n").find("py"), std::string::npos);
}

TEST(Episode, CasesOfDifferentSizesAndEmptyFilesAreRefused) {
  EXPECT_NE(refusal(std::string(kHeader) + "0,0,1,2,3,4\n1,0,1,2,3,4\n1,1,5,2,3,4\n").find("the same number of people"),
            std::string::npos);
  EXPECT_NE(refusal(kHeader), "");
}

}  // namespace
}  // namespace elastane::crowd
