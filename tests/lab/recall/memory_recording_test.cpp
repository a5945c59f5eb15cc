// lab/recall/memory_recording.cpp: what the page of `elastane play recall` shows.
#include "lab/recall/memory_recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace elastane::recall {
namespace {

const MemoryAgent& agent_of(const MemoryRecording& r, const std::string& name) {
  return *std::ranges::find_if(r.agents, [&](const MemoryAgent& agent) { return agent.caption.name == name; });
}

TEST(MemoryRecording, AGateWritesLessAndRecallsMoreThanChance) {
  const MemoryRecording r = record_memories({.seed = 1, .episode = 0, .agents = {}}).value();
  ASSERT_TRUE(r.validate());
  EXPECT_EQ(r.agents.size(), 5U);
  EXPECT_EQ(agent_of(r, "always").write_share, 1.0);
  const MemoryAgent& budget = agent_of(r, "budget");
  const double most = 16 + 0.1 * static_cast<double>(r.shown.size());
  EXPECT_LE(budget.write_share * static_cast<double>(r.shown.size()), most) << "burst and share";
  EXPECT_GT(budget.recalled, agent_of(r, "random").recalled);
  for (const MemoryMoment& m : budget.steps) EXPECT_TRUE(m.tokens >= 0 && m.threshold > 0);
  for (const MemoryMoment& m : budget.steps) {
    EXPECT_TRUE(m.moment.depth == 0 || m.surprise > m.threshold - 1e-3) << "what is shown is what decided";
  }
}

TEST(MemoryRecording, TheStreamHasEveryKindOfStepAndSaysWhatWasWritten) {
  const MemoryRecording r = record_memories({.seed = 2, .episode = 1, .agents = {"surprise", "seen_twice"}}).value();
  for (const StepKind kind : {StepKind::known, StepKind::first, StepKind::changed, StepKind::junk}) {
    EXPECT_TRUE(std::ranges::any_of(r.shown, [&](const ShownStep& s) { return s.kind == kind; }));
  }
  for (std::size_t t = 0; t < r.shown.size(); ++t) {
    const MemoryMoment& m = r.agents[0].steps[t];
    EXPECT_EQ(m.moment.depth > 0, m.surprise > m.threshold) << t;
    EXPECT_TRUE(r.shown[t].kind != StepKind::junk || r.agents[1].steps[t].moment.depth == 0) << "junk earns no place";
  }
}

TEST(MemoryRecording, HasAllThatThePageDraws) {
  const MemoryRecording r = record_memories({.seed = 1, .episode = 0, .agents = {"budget"}}).value();
  const auto json = nlohmann::json::parse(r.json());
  EXPECT_EQ(json["world"], "memory");
  EXPECT_EQ(json["kind"].size(), r.shown.size());
  EXPECT_EQ(json["agents"][0]["answers"].size(), r.shown.size());
  EXPECT_LT(r.json().size(), 1'000'000U);
  EXPECT_NE(r.figure().find("<svg"), std::string::npos);
}

TEST(MemoryRecording, RefusesWhatItDoesNotKnow) {
  EXPECT_FALSE(record_memories({.seed = 1, .episode = 0, .agents = {"nothing"}}));
  EXPECT_FALSE(record_memories({.seed = 1, .episode = -1, .agents = {}}));
}

}  // namespace
}  // namespace elastane::recall
