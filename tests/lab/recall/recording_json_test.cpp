// lab/recall/recording_json.cpp: all that the page draws.
#include "lab/recall/recording.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/lab/recall/glass_models.h"

namespace elastane::recall {
namespace {

TEST(RecordingJson, HasAllThatThePageDraws) {
  const PromptRecording r = record(random_glass(), {.seed = 1, .episode = 1, .agents = {}}).value();
  EXPECT_TRUE(r.validate());
  const auto json = nlohmann::json::parse(r.json());
  EXPECT_EQ(json["world"], "attention");
  ASSERT_EQ(json["agents"].size(), roster().size());
  for (const auto& agent : json["agents"]) {
    EXPECT_EQ(agent["heads"].size(), 2U);
    ASSERT_EQ(agent["heads"][0].size(), static_cast<std::size_t>(kShownLength));
    EXPECT_EQ(agent["heads"][0][40].get<std::string>().size(), 3U);  // blocks up to the query's own
  }
  EXPECT_LT(r.json().size(), 2'000'000U);
}

}  // namespace
}  // namespace elastane::recall
