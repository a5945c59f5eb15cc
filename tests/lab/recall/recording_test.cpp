// lab/recall/recording.cpp: a prompt, and what each agent read of it.
#include "lab/recall/recording.h"

#include <gtest/gtest.h>

#include "tests/lab/recall/glass_models.h"

namespace elastane::recall {
namespace {

TEST(PromptRecording, IsTheSameForTheSameRequest) {
  const benchmark::RecordingRequest request{.seed = 4, .episode = 7, .agents = {"dense", "anytime"}};
  EXPECT_EQ(record(random_glass(), request).value().json(), record(random_glass(), request).value().json());
}

TEST(PromptRecording, RefusesUnknownAgentsAndBrokenRecordings) {
  EXPECT_FALSE(record(random_glass(), {.seed = 1, .episode = 0, .agents = {"luck"}}));
  EXPECT_FALSE(record(random_glass(), {.seed = 1, .episode = -1, .agents = {}}));
  PromptRecording r = record(random_glass(), {.seed = 1, .episode = 0, .agents = {"dense"}}).value();
  r.agents[0].steps.pop_back();
  EXPECT_FALSE(r.validate());
}

}  // namespace
}  // namespace elastane::recall
