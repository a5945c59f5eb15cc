// lab/benchmark/shown_agents.h
#include "lab/benchmark/shown_agents.h"

#include <gtest/gtest.h>

namespace elastane::benchmark {
namespace {

struct Named {
  std::string name;
};
const std::vector<Named> kAll = {{"frozen"}, {"exact"}, {"sketch"}};

TEST(ShownAgents, AreThoseNamedInTheirOrder) {
  const auto shown = shown_agents({"sketch", "frozen"}, kAll).value();
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].name, "sketch");
  EXPECT_EQ(shown[1].name, "frozen");
}

TEST(ShownAgents, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  EXPECT_EQ(shown_agents({"exakt"}, kAll).error(), "[agents] exakt: expected some of frozen, exact, sketch");
}

TEST(ShownAgents, ThereIsALimit) {
  EXPECT_FALSE(shown_agents(std::vector<std::string>(kMostShown + 1, "exact"), kAll));
}

}  // namespace
}  // namespace elastane::benchmark
