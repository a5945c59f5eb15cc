// lab/navigation/agent_factory.h: bad configurations are refused with a reason.
#include "lab/navigation/agent_factory.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace elastane::navigation {
namespace {

std::string refusal(const AgentConfig& config) {
  try {
    agent_maker(config);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AgentFactory, NamesTheKnownKinds) {
  EXPECT_NE(refusal({.kind = "psychic"}).find("unknown kind of agent \"psychic\", expected one of frozen"),
            std::string::npos);
}

TEST(AgentFactory, NamesAMissingParameter) {
  EXPECT_EQ(refusal({.kind = "filter", .parameters = {{"margin", 0.01}}}),
            "[roster] filter: expected a parameter pace");
  EXPECT_EQ(refusal({.kind = "filter", .parameters = {{"margin", 0.01}, {"pace", 0.5}}}), "accepted");
}

TEST(AgentFactory, RefusesAnUnknownMetric) {
  const AgentConfig config{.kind = "latent",
                           .metric = "imperial",
                           .parameters = {{"depth", 1}, {"damping", 0.1}, {"radius", 1}, {"fade", 0}}};
  EXPECT_NE(refusal(config).find("imperial"), std::string::npos);
}

}  // namespace
}  // namespace elastane::navigation
