// lab/navigation/recording_json.cpp, and what recording.cpp refuses.
#include <gtest/gtest.h>

#include <limits>

#include "tests/lab/benchmark/page_checks.h"
#include "tests/lab/navigation/made_up_recording.h"

namespace elastane::navigation {
namespace {

using benchmark::episode_of;
using benchmark::expect_refused;
using benchmark::page_of;
using Json = nlohmann::json;

TEST(NavigationRecording, ThePageHoldsTheEpisode) {
  const auto recording = made_up_navigation();
  const Json episode = episode_of(page_of(recording));
  EXPECT_EQ(episode["world"], "navigation");
  EXPECT_EQ(episode["agents"].size(), 3U);
  EXPECT_EQ(episode["heights"].size(), 48U * 48U);
  EXPECT_EQ(episode["dragged"]["at"], 38);
  EXPECT_EQ(episode["events"][0]["text"], "rays fail");
  EXPECT_EQ(episode["wind"].size(), 140U);
  const Json& agent = episode["agents"][2];
  EXPECT_EQ(agent["position"].size(), recording.agents[2].steps.size() + 1);
  EXPECT_NEAR(agent["position"][40][0].get<double>(), recording.agents[2].steps[40].position.x, 1e-4);
  EXPECT_EQ(agent["plan"][3].size(), 8U);
  EXPECT_EQ(agent["rays"][3].size(), 24U);
  EXPECT_EQ(agent["depth"][45], recording.agents[2].steps[45].moment.depth);
}

TEST(NavigationRecording, ThePageIsSmallAndNeedsNoOtherFile) {
  const std::string page = page_of(made_up_navigation());
  EXPECT_LT(page.size(), 2'000'000U);
  benchmark::expect_self_contained(page);
}

TEST(NavigationRecording, ValuesThatAreNotFiniteAreLeftOut) {
  auto recording = made_up_navigation();
  recording.agents[0].steps[0].rays[0] = std::numeric_limits<double>::quiet_NaN();
  recording.agents[0].steps[0].moment.loss_before = std::numeric_limits<double>::infinity();
  const Json episode = episode_of(page_of(recording));
  EXPECT_TRUE(episode["agents"][0]["rays"][0][0].is_null());
  EXPECT_TRUE(episode["agents"][0]["before"][0].is_null());
}

TEST(NavigationRecording, ACaptionCannotEndTheScript) {
  auto recording = made_up_navigation();
  recording.agents[0].caption.what = "</script><script>alert(1)</script>";
  recording.title = "<b>\xff";
  const std::string page = page_of(recording);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(episode_of(page)["agents"][0]["what"], "</script><script>alert(1)</script>");
}

TEST(NavigationRecording, NamesWhatDoesNotFitTogether) {
  EXPECT_TRUE(made_up_navigation().validate());
  auto drive = made_up_navigation();
  drive.heights.pop_back();
  expect_refused(drive, "heights: expected 2304, found 2303");
  drive = made_up_navigation();
  drive.agents[1].steps.clear();
  expect_refused(drive, "euclidean: expected a step at least");
  expect_refused(NavigationRecording{}, "agents: expected one at least");
}

}  // namespace
}  // namespace elastane::navigation
