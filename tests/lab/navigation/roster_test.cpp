// lab/navigation/roster.h: the data of experiments/navigation/settings as the benchmark uses them.
#include "lab/navigation/roster.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::navigation {
namespace {

const RosterEntry& find(const std::vector<RosterEntry>& all, const std::string& name) {
  return *std::ranges::find(all, name, [](const RosterEntry& e) { return e.card.name; });
}

TEST(Roster, HasEightSettingsOfEveryAgentThatWasTuned) {
  for (const RosterEntry& entry : roster(Mode::drifting)) {
    if (entry.oracle) {
      EXPECT_TRUE(entry.tried.empty());
    } else if (entry.card.name == "frozen" || entry.card.name == "transformer") {
      EXPECT_EQ(entry.tried.size(), 1U);
    } else {
      EXPECT_EQ(entry.tried.size(), 8U) << entry.card.name;
      EXPECT_EQ(entry.card.settings, entry.setting().text);
    }
  }
}

// journals and recorded results hold these texts
TEST(Roster, SettingsKeepTheirText) {
  const auto all = roster(Mode::dragged);
  EXPECT_EQ(find(all, "cg").card.settings, "K 3, damping 0.03, fade 0.2, radius 0.5");
  EXPECT_EQ(find(all, "literal").tried[2].text, "K 1, damping 0.001, fade 0, radius 0.5, H 3");
  EXPECT_EQ(find(all, "rmpflow").tried[1].text, "gain 1, scale 0.2, stop 6");
  EXPECT_EQ(find(all, "way").card.settings, "K 3, damping 0.001, leave 0.3");
  EXPECT_EQ(find(all, "observer").card.settings, "noise 0.2, damping 1, radius 0.5");
  EXPECT_EQ(find(roster(Mode::drifting), "persistent").tried[0].text, "drift 0.01, noise 0.05, latent 0.0001");
}

TEST(Roster, AgentsForTheDisturbanceTakePartOnlyThere) {
  EXPECT_EQ(roster(Mode::drifting).size(), roster(Mode::dragged).size() + 2);
}

TEST(Roster, WithoutAChangeUsesTheSettingsForACrate) {
  EXPECT_EQ(find(roster(Mode::still), "cg").chosen, find(roster(Mode::dragged), "cg").chosen);
  EXPECT_EQ(find(roster(Mode::lost), "cg").chosen, find(roster(Mode::dragged), "cg").chosen);
  EXPECT_EQ(find(roster(Mode::windy), "kalman").chosen, find(roster(Mode::drifting), "kalman").chosen);
  EXPECT_NE(find(roster(Mode::moving), "ilqr").chosen, find(roster(Mode::dragged), "ilqr").chosen);
}

TEST(Roster, GridIsThePublishedOne) {
  const auto grid = budget_grid();
  ASSERT_EQ(grid.size(), 27U);
  EXPECT_EQ(grid.front().card.name, "sketch lambda 0.0001 r 4 beta 0.95");
  EXPECT_EQ(grid.back().card.name, "sketch lambda 0.01 r 12 beta 0.995");
}

TEST(Claims, OfACrateIncludeTheFactors) {
  const auto all = claims(Mode::dragged);
  ASSERT_EQ(all.size(), 14U);
  EXPECT_EQ(all[3].aim, 2.0 / 3);
  EXPECT_EQ(all[3].measure, benchmark::Measure::violations);
  EXPECT_FALSE(claims(Mode::windy).empty());
  EXPECT_FALSE(claims(Mode::lost).empty());
}

}  // namespace
}  // namespace elastane::navigation
