// lab/navigation/agent.h: an agent shows the path of its outputs.
#include "lab/navigation/agent.h"

#include <gtest/gtest.h>

namespace elastane::navigation {
namespace {

class Fixed final : public Agent {
 public:
  void begin() override {}
  Vec2 act(const Observation&) override {
    std::array<double, kPath> y = {};
    y[2] = 3;
    keep_path(std::span<const double>(y));
    return {};
  }
};

TEST(Agent, ShowsItsPathInTheUnitSquare) {
  Fixed agent;
  agent.act({});
  EXPECT_EQ(agent.path().size(), static_cast<std::size_t>(kWaypoints));
  EXPECT_NEAR(agent.path()[1].x, 0.3, 1e-15);
}

}  // namespace
}  // namespace elastane::navigation
