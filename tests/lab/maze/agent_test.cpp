// lab/maze/agent.h: what every agent has.
#include "lab/maze/agent.h"

#include <gtest/gtest.h>

namespace elastane::maze {
namespace {

class Still final : public Agent {
 public:
  void begin(const Episode& /*episode*/) override { report_ = {}; }
  int act(const Observation& /*observation*/) override {
    report_.depth += 1;
    return kStay;
  }
};

TEST(Agent, ReportsItsLastActAndIgnoresTheEnvironmentUnlessItIsAnOracle) {
  const Episode episode{
      .plan = Grid(2, 1, false), .before = Grid(2, 1, false), .after = Grid(2, 1, false), .doors = {}};
  Still agent;
  agent.begin(episode);
  agent.watch(Environment(episode));
  EXPECT_EQ(agent.act({}), kStay);
  EXPECT_EQ(agent.report().depth, 1);
}

}  // namespace
}  // namespace elastane::maze
