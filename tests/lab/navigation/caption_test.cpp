// lab/navigation/caption.h: every mode has its words, and events are marked when they happen.
#include "lab/navigation/caption.h"

#include <gtest/gtest.h>

#include <set>

namespace elastane::navigation {
namespace {

TEST(Caption, DiffersForEveryMode) {
  std::set<std::string> titles, captions;
  for (const Mode mode :
       {Mode::still, Mode::dragged, Mode::moving, Mode::drifting, Mode::blind, Mode::windy, Mode::lost}) {
    titles.insert(title_of({.mode = mode}));
    captions.insert(caption_of({.mode = mode}));
  }
  EXPECT_EQ(titles.size(), 7U);
  EXPECT_EQ(captions.size(), 7U);
}

TEST(Caption, SaysWhenTheCrateIsMoved) {
  EXPECT_NE(caption_of({.mode = Mode::dragged, .change_at = 37}).find("At step 37"), std::string::npos);
}

TEST(Caption, MarksTheFirstStepOfEveryEvent) {
  const auto failures = events_of({.mode = Mode::blind, .blind_for = 4, .blind_every = 10}, 25);
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[0].at, 6);
  EXPECT_EQ(failures[1].at, 16);
  const auto wind = events_of({.mode = Mode::drifting, .disturbed_at = 12}, 25);
  ASSERT_EQ(wind.size(), 1U);
  EXPECT_EQ(wind[0].at, 12);
  EXPECT_TRUE(events_of({.mode = Mode::drifting, .disturbed_at = 12}, 10).empty());
}

}  // namespace
}  // namespace elastane::navigation
