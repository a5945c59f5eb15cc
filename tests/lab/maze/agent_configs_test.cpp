// lab/maze/agent_configs.cpp: the file of the trained agents.
#include "lab/maze/agent_configs.h"

#include <gtest/gtest.h>

#include "tests/paths.h"

namespace elastane::maze {
namespace {

const AgentConfigs& stored() {
  static const AgentConfigs loaded = load_agent_configs(std::string(ELASTANE_MODELS) + "/maze.safetensors").value();
  return loaded;
}

TEST(AgentConfigs, AreReadAsTheyWereWritten) {
  const AgentConfigs again = parse_agent_configs(format_agent_configs(stored()).value(), "memory").value();
  for (const std::string name : kConfigNames) {
    EXPECT_EQ(again.at(name).head.weight, stored().at(name).head.weight);
    EXPECT_EQ(again.at(name).learned.network.score_weight, stored().at(name).learned.network.score_weight);
    EXPECT_EQ(again.at(name).gate.histogram, stored().at(name).gate.histogram);
  }
}

TEST(AgentConfigs, WithPricesAreReadAsTheyWereWritten) {
  const AgentConfig& esm = stored().at("esm");
  const std::vector<PricedAgentConfig> priced = {{0.02, 1, esm}, {0.02, 2, esm}, {0.5, 1, esm}};
  const auto again = parse_priced_configs(format_priced_configs(priced).value(), "memory").value();
  ASSERT_EQ(again.size(), 3u);
  EXPECT_EQ(again[2].price, 0.5);
  EXPECT_EQ(again[1].seed, 2);
  EXPECT_EQ(again[0].config.learned.network.score_weight, esm.learned.network.score_weight);
  EXPECT_FALSE(parse_priced_configs(format_agent_configs(stored()).value(), "memory"));
  EXPECT_FALSE(parse_agent_configs(format_priced_configs(priced).value(), "memory"));
}

TEST(AgentConfigs, SayWhatIsWrongWithAFile) {
  const auto other = load_agent_configs(std::string(ELASTANE_MODELS) + "/lorenz.safetensors");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().find("expected agents of the maze"), std::string::npos);
  AgentConfigs configs = stored();
  configs.at("k0").head.bias.pop_back();
  const auto torn = parse_agent_configs(format_agent_configs(configs).value(), "memory");
  ASSERT_FALSE(torn);
  EXPECT_NE(torn.error().find("k0.head"), std::string::npos);
}

}  // namespace
}  // namespace elastane::maze
