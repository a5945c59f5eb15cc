// lab/benchmark/recording_checks.h
#include "lab/benchmark/recording_checks.h"

#include <gtest/gtest.h>

#include <vector>

#include "lab/benchmark/recording.h"

namespace elastane::benchmark {
namespace {

struct Agent {
  Caption caption;
  std::vector<int> steps;
};

TEST(RecordingChecks, EveryAgentNeedsAStep) {
  EXPECT_FALSE(check_agents(std::vector<Agent>{}));
  EXPECT_TRUE(check_agents(std::vector<Agent>{{{.name = "exact"}, {1}}}));
  EXPECT_EQ(check_agents(std::vector<Agent>{{{.name = "exact"}, {}}}).error(),
            "[recording] exact: expected a step at least, found none");
}

TEST(RecordingChecks, IndicesAreBelowTheSize) {
  EXPECT_TRUE(is_below(0, 1));
  EXPECT_FALSE(is_below(1, 1));
  EXPECT_FALSE(is_below(-1, 1));
}

}  // namespace
}  // namespace elastane::benchmark
