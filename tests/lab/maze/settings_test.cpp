// lab/maze/settings.cpp: the roster and the claims as data.
#include "lab/maze/settings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/maze/agent_configs.h"

namespace elastane::maze {
namespace {

TEST(Settings, DescribeEveryAgentWithAMap) {
  const Settings& all = settings();
  EXPECT_EQ(all.map_agents.size(), std::size(kConfigNames));
  for (const std::string name : kConfigNames) {
    EXPECT_NE(std::ranges::find(all.map_agents, name, &AgentText::name), all.map_agents.end()) << name;
  }
  EXPECT_EQ(all.oracle_price, 0.005);
  EXPECT_EQ(all.kappa_threshold, 1e-3);
  EXPECT_EQ(all.claims.size(), 8u);
}

}  // namespace
}  // namespace elastane::maze
