// Tests of elastane/core/corrector/corrector_options.cpp.
#include "elastane/core/corrector/corrector_options.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace elastane {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(CorrectorOptions, AreValidByDefaultAndForEveryMetric) {
  EXPECT_TRUE(validate(CorrectorOptions{}));
  for (int kind = 0; kind < kMetrics; ++kind) {
    const auto metric = static_cast<Metric>(kind);
    EXPECT_TRUE(validate(CorrectorOptions{.metric = {.kind = metric, .rank = 3, .warm_up = 5}})) << name(metric);
  }
}

struct BadOption {
  const char* field;
  std::function<void(CorrectorOptions&)> spoil;
  const char* found;
};

TEST(CorrectorOptions, OutOfRangeAreRefusedByNameRangeAndValue) {
  const std::vector<BadOption> cases = {
      {"metric.damping", [](auto& o) { o.metric.damping = 0; }, "0"},
      {"metric.damping", [](auto& o) { o.metric.damping = -1e-3; }, "-0.001"},
      {"metric.damping", [](auto& o) { o.metric.damping = kNan; }, "nan"},
      {"metric.rank", [](auto& o) { o.metric.rank = 0; }, "0"},
      {"metric.rank", [](auto& o) { o.metric.rank = 33; }, "33"},
      {"metric.memory", [](auto& o) { o.metric.memory = 1; }, "1"},
      {"metric.memory", [](auto& o) { o.metric.memory = kNan; }, "nan"},
      {"metric.condition_limit", [](auto& o) { o.metric.condition_limit = 1; }, "1"},
      {"metric.products", [](auto& o) { o.metric.products = 0; }, "0"},
      {"metric.products", [](auto& o) { o.metric.products = 1001; }, "1001"},
      {"metric.warm_up", [](auto& o) { o.metric.warm_up = 0; }, "0"},
      {"metric.process_noise", [](auto& o) { o.metric.process_noise = -1; }, "-1"},
      {"metric.prior_variance", [](auto& o) { o.metric.prior_variance = 0; }, "0"},
      {"trust.radius", [](auto& o) { o.trust.radius = 9; }, "9"},
      {"trust.radius", [](auto& o) { o.trust.radius = 1e-4; }, "0.0001"},
      {"trust.radius", [](auto& o) { o.trust.radius = kNan; }, "nan"},
      {"trust.shrink", [](auto& o) { o.trust.shrink = 0; }, "0"},
      {"trust.shrink", [](auto& o) { o.trust.shrink = 1.5; }, "1.5"},
      {"trust.grow", [](auto& o) { o.trust.grow = 0.9; }, "0.9"},
      {"trust.low", [](auto& o) { o.trust.low = 0; }, "0"},
      {"trust.low", [](auto& o) { o.trust.low = 0.8; }, "0.8"},
      {"trust.trials", [](auto& o) { o.trust.trials = 0; }, "0"},
      {"trust.trials", [](auto& o) { o.trust.trials = 17; }, "17"},
      {"trust.horizon", [](auto& o) { o.trust.horizon = 0; }, "0"},
      {"trust.horizon", [](auto& o) { o.trust.horizon = 65; }, "65"},
      {"trust.discount", [](auto& o) { o.trust.discount = 1.01; }, "1.01"},
      {"trust.discount", [](auto& o) { o.trust.discount = 0; }, "0"},
      {"retraction.ball_radius", [](auto& o) { o.retraction.ball_radius = 0; }, "0"},
      {"gate.depth", [](auto& o) { o.gate.depth = -1; }, "-1"},
      {"gate.depth", [](auto& o) { o.gate.depth = 1001; }, "1001"},
      {"gate.price", [](auto& o) { o.gate.price = -0.5; }, "-0.5"},
  };
  for (const BadOption& bad : cases) {
    CorrectorOptions options;
    bad.spoil(options);
    const Status status = validate(options);
    ASSERT_FALSE(status) << bad.field << " = " << bad.found;
    const std::string start = std::string("[corrector] ") + bad.field + ": expected ";
    const std::string end = std::string(", found ") + bad.found;
    EXPECT_EQ(status.error().substr(0, start.size()), start) << status.error();
    ASSERT_GE(status.error().size(), end.size());
    EXPECT_EQ(status.error().substr(status.error().size() - end.size()), end) << status.error();
  }
}

}  // namespace
}  // namespace elastane
