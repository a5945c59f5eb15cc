// lab/navigation/recording_json.cpp: the keys that the page reads.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "lab/navigation/recording.h"

namespace elastane::navigation {
namespace {

TEST(NavigationRecordingJson, HasTheKeysOfThePage) {
  NavigationRecording r(3, 4);
  r.discs = {{{0.25, 0.5}, 0.1}};
  r.wind = {{0.001, 0}};
  NavigationAgent agent{.caption = {.name = "frozen"}};
  agent.steps = {
      {.position = {0.1, 0.2}, .plan = {{0.3, 0.4}}, .rays = {0.5, std::numeric_limits<double>::quiet_NaN()}}};
  agent.end = {0.6, 0.7};
  r.agents = {agent};
  const auto json = nlohmann::json::parse(r.json());
  EXPECT_EQ(json["world"], "navigation");
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["episode"], 4);
  EXPECT_EQ(json["discs"][0][2], 0.1);
  EXPECT_TRUE(json["dragged"].is_null());
  const auto& shown = json["agents"][0];
  EXPECT_EQ(shown["position"].size(), 2U);  // before each step, and the end
  EXPECT_EQ(shown["plan"][0][0][1], 0.4);
  EXPECT_TRUE(shown["rays"][0][1].is_null());
}

}  // namespace
}  // namespace elastane::navigation
