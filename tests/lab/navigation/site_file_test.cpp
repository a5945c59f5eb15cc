// lab/navigation/site_file.h: sites that the user has drawn, good ones and bad ones.
#include "lab/navigation/site_file.h"

#include <gtest/gtest.h>

namespace elastane::navigation {
namespace {

constexpr const char* kGood = R"({
  "dock": [0.9, 0.5], "start": [0.1, 0.5],
  "barriers": [{"from": [0.4, 0.2], "to": [0.4, 0.8], "half": 0.012}],
  "discs": [{"centre": [0.6, 0.5], "radius": 0.05}],
  "hills": [{"centre": [0.2, 0.2], "height": 0.1, "width": 0.15}],
  "drop": {"at": 20, "centre": [0.75, 0.5], "radius": 0.06}})";

TEST(SiteFile, HoldsWhatTheUserDrew) {
  const auto file = parse_site(kGood);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->site.dock, (Vec2{0.9, 0.5}));
  ASSERT_EQ(file->site.barriers.size(), 1U);
  EXPECT_EQ(file->site.barriers[0].to, (Vec2{0.4, 0.8}));
  EXPECT_EQ(file->site.barriers[0].half, 0.012);
  ASSERT_EQ(file->site.discs.size(), 1U);
  EXPECT_EQ(file->site.discs[0].radius, 0.05);
  ASSERT_EQ(file->site.hills.size(), 1U);
  EXPECT_EQ(file->site.hills[0].width, 0.15);
  EXPECT_EQ(file->start, (Vec2{0.1, 0.5}));
  ASSERT_TRUE(file->drop);
  EXPECT_EQ(file->drop->at, 20);
  EXPECT_EQ(file->drop->crate.radius, 0.06);
}

TEST(SiteFile, ADockIsEnough) {
  const auto file = parse_site(R"({"dock": [0.5, 0.5]})");
  ASSERT_TRUE(file) << file.error();
  EXPECT_FALSE(file->start || file->drop);
}

TEST(SiteFile, ReportsWhatIsWrong) {
  struct Bad {
    const char *text, *expected;
  };
  const Bad all[] = {
      {"", "is not JSON"},
      {"file by hand", "is not JSON"},
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
    const auto file = parse_site(bad.text);
    ASSERT_FALSE(file) << bad.text;
    EXPECT_EQ(file.error().find("[site] "), 0U) << file.error();
    EXPECT_NE(file.error().find(bad.expected), std::string::npos) << bad.text << "\n" << file.error();
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

}  // namespace
}  // namespace elastane::navigation
