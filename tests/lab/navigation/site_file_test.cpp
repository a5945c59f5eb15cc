// lab/navigation/site_file.h and errand.h: sites that somebody drew, good ones and bad ones.
#include "lab/navigation/site_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "lab/navigation/errand.h"

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

TEST(SiteFile, HoldsWhatWasDrawn) {
  const auto drawn = parse_site(kGood);
  ASSERT_TRUE(drawn) << drawn.error();
  EXPECT_EQ(drawn->site.dock, (Point{0.9, 0.5}));
  ASSERT_EQ(drawn->site.barriers.size(), 1U);
  EXPECT_EQ(drawn->site.barriers[0].to, (Point{0.4, 0.8}));
  EXPECT_EQ(drawn->site.barriers[0].half, 0.012);
  ASSERT_EQ(drawn->site.discs.size(), 1U);
  EXPECT_EQ(drawn->site.discs[0].radius, 0.05);
  ASSERT_EQ(drawn->site.hills.size(), 1U);
  EXPECT_EQ(drawn->site.hills[0].width, 0.15);
  EXPECT_EQ(drawn->start, (Point{0.1, 0.5}));
  ASSERT_TRUE(drawn->drop);
  EXPECT_EQ(drawn->drop->at, 20);
  EXPECT_EQ(drawn->drop->crate.radius, 0.06);
}

TEST(SiteFile, ADockIsEnough) {
  const auto drawn = parse_site(R"({"dock": [0.5, 0.5]})");
  ASSERT_TRUE(drawn) << drawn.error();
  EXPECT_FALSE(drawn->start || drawn->drop);
  const auto one = make_errand(*drawn, 1), same = make_errand(*drawn, 1), other = make_errand(*drawn, 2);
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(one->scenario.start, same->scenario.start);
  EXPECT_NE(one->scenario.start, other->scenario.start);
}

TEST(SiteFile, SaysWhatIsWrongWithABadOne) {
  struct Bad {
    const char *text, *says;
  };
  const Bad all[] = {
      {"", "is not JSON"},
      {"drawn by hand", "is not JSON"},
      {R"({"dock": [0.5, NaN]})", "is not JSON"},
      {R"({"dock": [0.5, 1e999]})", "is not JSON"},
      {R"({"dock": [0.5, 0.5], "dock": [0.4, 0.4]})", "dock twice"},
      {"[0.5, 0.5]", "expected an object"},
      {"{}", "dock: expected it, found nothing"},
      {R"({"dock": null})", "dock: expected"},
      {R"({"dock": 0.5})", "dock: expected"},
      {R"({"dock": [0.5]})", "dock: expected [x, y]"},
      {R"({"dock": [0.5, 0.5, 0.5]})", "dock: expected [x, y]"},
      {R"({"dock": [0.5, "north"]})", "dock: expected"},
      {R"({"dock": [0.5, 1.5]})", "dock: expected [x, y], both from 0 to 1"},
      {R"({"dock": [0.5, 0.005]})", "dock: expected it at least"},
      {R"({"dock": [0.5, 0.5], "dok": 1})", "dok: unknown key; see docs/howto/site.md"},
      {R"({"dock": [0.5, 0.5], "discs": {}})", "discs: expected a list"},
      {R"({"dock": [0.5, 0.5], "discs": [7]})", "discs[0]."},
      {R"({"dock": [0.5, 0.5], "discs": [{"centre": [0.2, 0.2]}]})", "discs[0].radius: expected it, found nothing"},
      {R"({"dock": [0.5, 0.5], "discs": [{"centre": [0.2, 0.2], "radius": -1}]})",
       "discs[0].radius: expected a number"},
      {R"({"dock": [0.5, 0.5], "discs": [{"centre": [0.2, 0.2], "radius": 0.1, "colour": 3}]})", "discs[0].colour"},
      {R"({"dock": [0.5, 0.5], "discs": [{"centre": [0.5, 0.5], "radius": 0.1}]})", "dock: expected it at least"},
      {R"({"dock": [0.5, 0.5], "barriers": [{"from": [0, 0], "to": [2, 2], "half": 0.01}]})", "barriers[0].to"},
      {R"({"dock": [0.5, 0.5], "barriers": [{"from": [0, 0], "to": [1, 1], "half": 0.01}]})", "dock: expected"},
      {R"({"dock": [0.5, 0.5], "barriers": [{"from": [0, 0], "to": [1, 0], "half": 9}]})", "barriers[0].half"},
      {R"({"dock": [0.5, 0.5], "hills": [{"centre": [0, 0], "height": 1e9, "width": 0.1}]})", "hills[0].height"},
      {R"({"dock": [0.5, 0.5], "hills": [{"centre": [0, 0], "height": 0.1, "width": 1e-9}]})", "hills[0].width"},
      {R"({"dock": [0.5, 0.5], "drop": 5})", "drop."},
      {R"({"dock": [0.5, 0.5], "drop": {"at": 1.5, "centre": [0.2, 0.2], "radius": 0.05}})",
       "drop.at: expected a whole"},
      {R"({"dock": [0.5, 0.5], "drop": {"at": -3, "centre": [0.2, 0.2], "radius": 0.05}})", "drop.at: expected a step"},
  };
  for (const Bad& bad : all) {
    const auto drawn = parse_site(bad.text);
    ASSERT_FALSE(drawn) << bad.text;
    EXPECT_EQ(drawn.error().find("[site] "), 0U) << drawn.error();
    EXPECT_NE(drawn.error().find(bad.says), std::string::npos) << bad.text << "\n" << drawn.error();
  }
}

TEST(SiteFile, RefusesThousandsOfShapesAndHugeFiles) {
  std::string text = R"({"dock": [0.5, 0.5], "discs": [)";
  for (int i = 0; i < 5000; ++i) text += R"({"centre": [0.1, 0.1], "radius": 0.01},)";
  text.back() = ']';
  const auto many = parse_site(text + "}");
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().find("at most 200, found 5000"), std::string::npos) << many.error();
  const auto huge = parse_site(std::string(2'000'000, ' '));
  ASSERT_FALSE(huge);
  EXPECT_NE(huge.error().find("bytes"), std::string::npos) << huge.error();
}

TEST(Errand, OfAGoodSiteCanBeDrivenByOneWhoKnowsIt) {
  const auto errand = make_errand(*parse_site(kGood), 1);
  ASSERT_TRUE(errand) << errand.error();
  EXPECT_EQ(errand->scenario.mode, Mode::dragged);
  EXPECT_EQ(errand->scenario.change_at, 20);
  Drive drive(errand->place.site, errand->scenario);
  // until it is dropped, the crate is nothing to anybody
  Site without = errand->place.site;
  without.discs.pop_back();
  for (double x = 0.01; x < 1; x += 0.07) {
    for (double y = 0.01; y < 1; y += 0.07) EXPECT_EQ(drive.site().clearance({x, y}), without.clearance({x, y}));
  }
  for (int i = 0; i < 20; ++i) drive.move({});
  EXPECT_LT(drive.site().clearance({0.75, 0.5}), 0);
}

TEST(Errand, IsRefusedWhereThereIsNoWay) {
  const auto wrong = [](const std::string& text) {
    const auto errand = make_errand(parse_site(text).value(), 1);
    return errand ? std::string("nothing") : errand.error();
  };
  EXPECT_EQ(wrong(walled(0.05)), "nothing");
  EXPECT_NE(wrong(walled(0)).find("start: expected a way"), std::string::npos) << wrong(walled(0));
  EXPECT_NE(wrong(walled(0.01)).find("start: expected a way"), std::string::npos) << wrong(walled(0.01));
  const std::string plugged = walled(0.05, R"(, "drop": {"at": 5, "centre": [0.5, 0.5], "radius": 0.06})");
  EXPECT_NE(wrong(plugged).find("drop: expected a way home"), std::string::npos) << wrong(plugged);
  const std::string on_dock = walled(0.05, R"(, "drop": {"at": 5, "centre": [0.9, 0.5], "radius": 0.06})");
  EXPECT_NE(wrong(on_dock).find("dock: expected it at least"), std::string::npos) << wrong(on_dock);
}

TEST(Errand, RefusesStartsThatAreNone) {
  DrawnSite drawn = parse_site(kGood).value();
  struct Bad {
    Point start;
    const char* says;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Bad& bad :
       {Bad{{0.6, 0.5}, "start: expected it at least"}, Bad{{0.005, 0.5}, "start: expected it at least"},
        Bad{{-1, 0.5}, "start: expected a point of the unit square"},
        Bad{{0.5, nan}, "start: expected a point of the unit square"},
        Bad{{0.89, 0.5}, "start: expected it away from the dock"}}) {
    drawn.start = bad.start;
    const auto errand = make_errand(drawn, 1);
    ASSERT_FALSE(errand);
    EXPECT_NE(errand.error().find(bad.says), std::string::npos) << errand.error();
  }
}

}  // namespace
}  // namespace elastane::navigation
