// lab/navigation/recording.h: a recording agrees with the benchmark.
#include "lab/navigation/recording.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "tests/paths.h"

namespace elastane::navigation {
namespace {

const NavigationBenchmark& benchmark_of(Mode mode) {
  static const Policies policies = load_policies(ELASTANE_MODELS).value();
  static std::map<Mode, std::unique_ptr<NavigationBenchmark>> benchmarks;
  auto& benchmark = benchmarks[mode];
  if (!benchmark) benchmark = std::make_unique<NavigationBenchmark>(policies, mode);
  return *benchmark;
}

NavigationRecording recorded(Mode mode, const benchmark::RecordingRequest& request = {}) {
  return record(benchmark_of(mode), request).value();
}

void expect_complete(const NavigationRecording& r) {
  EXPECT_TRUE(r.validate()) << r.validate().error();
  EXPECT_FALSE(r.title.empty() || r.summary.empty());
  EXPECT_EQ(r.heights.size(), static_cast<std::size_t>(r.columns) * r.columns);
  EXPECT_LT(r.json().size(), 100'000U + 150'000U * r.agents.size());
  int longest = 0;
  for (const NavigationAgent& agent : r.agents) {
    EXPECT_EQ(agent.steps.size(), static_cast<std::size_t>(agent.caption.steps));
    longest = std::max(longest, agent.caption.steps);
    int violations = 0;
    for (const NavigationStep& step : agent.steps) {
      violations += step.moment.violation ? 1 : 0;
      EXPECT_EQ(step.plan.size(), static_cast<std::size_t>(kWaypoints));
      EXPECT_EQ(step.rays.size(), static_cast<std::size_t>(kRays));
      for (const Vec2 p : step.plan) EXPECT_TRUE(std::isfinite(p.x + p.y));
      EXPECT_TRUE(std::isfinite(step.position.x + step.position.y + step.moment.radius));
    }
    EXPECT_EQ(violations, agent.caption.violations);
  }
  EXPECT_TRUE(r.moving.empty() || r.moving.size() == static_cast<std::size_t>(longest) + 1);
  EXPECT_TRUE(r.wind.empty() || r.wind.size() == static_cast<std::size_t>(longest) + 1);
}

TEST(NavigationRecording, IsCompleteInEveryModeAndRepeatable) {
  for (const Mode mode : {Mode::still, Mode::dragged, Mode::moving, Mode::drifting, Mode::blind}) {
    const NavigationRecording one = recorded(mode), other = recorded(mode);
    expect_complete(one);
    EXPECT_EQ(one.json(), other.json());
    EXPECT_EQ(one.dragged.has_value(), mode == Mode::dragged || mode == Mode::blind);
    EXPECT_EQ(one.moving.empty(), mode != Mode::moving);
    EXPECT_EQ(one.wind.empty(), mode != Mode::drifting);
    EXPECT_EQ(one.events.empty(), mode != Mode::blind && mode != Mode::drifting);
  }
}

TEST(NavigationRecording, EndsAsInTheBenchmark) {
  const NavigationBenchmark& benchmark = benchmark_of(Mode::dragged);
  const NavigationRecording r =
      recorded(Mode::dragged, {.seed = 3, .episode = 7, .agents = {"frozen", "exact", "oracle"}});
  expect_complete(r);
  ASSERT_EQ(r.agents.size(), 3U);
  for (const NavigationAgent& agent : r.agents) {
    int index = 0;
    while (benchmark.agents()[static_cast<std::size_t>(index)].name != agent.caption.name) ++index;
    benchmark::Latency latency;
    const benchmark::Outcome outcome = benchmark.player(index)->play(3, 7, latency);
    EXPECT_EQ(outcome.success, agent.caption.success) << agent.caption.name;
    EXPECT_EQ(outcome.steps, agent.caption.steps) << agent.caption.name;
    EXPECT_EQ(outcome.violations, agent.caption.violations) << agent.caption.name;
    int corrections = 0;
    for (const NavigationStep& step : agent.steps) corrections += step.moment.depth;
    EXPECT_EQ(outcome.corrections, corrections) << agent.caption.name;
  }
}

TEST(NavigationRecording, OfACustomSiteSaysThatThePolicyDoesNotKnowIt) {
  const auto file = parse_site(R"({"dock": [0.9, 0.5], "start": [0.1, 0.5],
    "drop": {"at": 20, "centre": [0.75, 0.5], "radius": 0.06}})");
  const auto scenario = make_scenario(file.value(), 1);
  const auto r = record(benchmark_of(Mode::dragged), scenario.value(), {.agents = {"frozen", "oracle"}});
  ASSERT_TRUE(r) << r.error();
  expect_complete(*r);
  EXPECT_NE(r->summary.find("does not know this site"), std::string::npos);
  EXPECT_TRUE(r->dragged);
  EXPECT_TRUE(r->discs.empty());
  EXPECT_TRUE(r->agents.back().caption.success);
}

TEST(NavigationRecording, RefusesUnknownAgentsAndEpisodes) {
  const NavigationBenchmark& benchmark = benchmark_of(Mode::dragged);
  const auto unknown = record(benchmark, {.agents = {"frozen", "melted"}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("unknown agent \"melted\", expected one of transformer, frozen"), std::string::npos)
      << unknown.error();
  EXPECT_FALSE(record(benchmark, {.agents = std::vector<std::string>(9, "frozen")}));
  EXPECT_FALSE(record(benchmark, {.episode = -1}));
}

}  // namespace
}  // namespace elastane::navigation
