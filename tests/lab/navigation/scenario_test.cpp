// lab/navigation/scenario.h: custom scenarios, and why one is refused.
#include "lab/navigation/scenario.h"

#include <gtest/gtest.h>

#include <limits>

#include "lab/navigation/environment.h"

namespace elastane::navigation {
namespace {

constexpr const char* kGood = R"({
  "dock": [0.9, 0.5], "start": [0.1, 0.5],
  "barriers": [{"from": [0.4, 0.2], "to": [0.4, 0.8], "half": 0.012}],
  "discs": [{"centre": [0.6, 0.5], "radius": 0.05}],
  "hills": [{"centre": [0.2, 0.2], "height": 0.1, "width": 0.15}],
  "drop": {"at": 20, "centre": [0.75, 0.5], "radius": 0.06}})";

// a wall with a door that is `half_open` to either side
std::string walled(double half_open, const std::string& more = "") {
  const auto number = [](double v) { return std::to_string(v); };
  return R"({"dock": [0.9, 0.5], "start": [0.1, 0.5], "barriers": [{"from": [0.5, 0], "to": [0.5, )" +
         number(0.5 - half_open - 0.01) + R"(], "half": 0.01}, {"from": [0.5, )" + number(0.5 + half_open + 0.01) +
         R"(], "to": [0.5, 1], "half": 0.01}])" + more + "}";
}

TEST(Scenario, DrawsAMissingStartByItsSeed) {
  const auto file = parse_site(R"({"dock": [0.5, 0.5]})");
  ASSERT_TRUE(file) << file.error();
  const auto one = make_scenario(*file, 1), same = make_scenario(*file, 1), other = make_scenario(*file, 2);
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(one->episode.start, same->episode.start);
  EXPECT_NE(one->episode.start, other->episode.start);
}

TEST(Scenario, OfAGoodSitePlacesItsCrateInTime) {
  const auto scenario = make_scenario(*parse_site(kGood), 1);
  ASSERT_TRUE(scenario) << scenario.error();
  EXPECT_EQ(scenario->episode.mode, Mode::dragged);
  EXPECT_EQ(scenario->episode.change_at, 20);
  Environment environment(scenario->site.site, scenario->episode);
  // until it is placed, the crate affects nothing
  Site without = scenario->site.site;
  without.discs.pop_back();
  for (double x = 0.01; x < 1; x += 0.07) {
    for (double y = 0.01; y < 1; y += 0.07) EXPECT_EQ(environment.site().clearance({x, y}), without.clearance({x, y}));
  }
  for (int i = 0; i < 20; ++i) environment.step({});
  EXPECT_LT(environment.site().clearance({0.75, 0.5}), 0);
}

TEST(Scenario, IsRefusedWithoutAPath) {
  const auto wrong = [](const std::string& text) {
    const auto scenario = make_scenario(parse_site(text).value(), 1);
    return scenario ? std::string("nothing") : scenario.error();
  };
  EXPECT_EQ(wrong(walled(0.05)), "nothing");
  EXPECT_NE(wrong(walled(0)).find("start: expected a path"), std::string::npos) << wrong(walled(0));
  EXPECT_NE(wrong(walled(0.01)).find("start: expected a path"), std::string::npos) << wrong(walled(0.01));
  const std::string plugged = walled(0.05, R"(, "drop": {"at": 5, "centre": [0.5, 0.5], "radius": 0.06})");
  EXPECT_NE(wrong(plugged).find("drop: expected a path home"), std::string::npos) << wrong(plugged);
  const std::string on_dock = walled(0.05, R"(, "drop": {"at": 5, "centre": [0.9, 0.5], "radius": 0.06})");
  EXPECT_NE(wrong(on_dock).find("dock: expected it at least"), std::string::npos) << wrong(on_dock);
}

TEST(Scenario, RefusesBadStarts) {
  SiteFile file = parse_site(kGood).value();
  struct Bad {
    Vec2 start;
    const char* expected;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Bad& bad :
       {Bad{{0.6, 0.5}, "start: expected it at least"}, Bad{{0.005, 0.5}, "start: expected it at least"},
        Bad{{-1, 0.5}, "start: expected a point of the unit square"},
        Bad{{0.5, nan}, "start: expected a point of the unit square"},
        Bad{{0.89, 0.5}, "start: expected it away from the dock"}}) {
    file.start = bad.start;
    const auto scenario = make_scenario(file, 1);
    ASSERT_FALSE(scenario);
    EXPECT_NE(scenario.error().find(bad.expected), std::string::npos) << scenario.error();
  }
}

}  // namespace
}  // namespace elastane::navigation
