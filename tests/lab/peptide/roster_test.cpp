// lab/peptide/roster.h
#include "lab/peptide/roster.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::peptide {
namespace {

TEST(Roster, NamesDifferAndAMissingFolderIsAnError) {
  const std::vector<RosterEntry> all = roster();
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(all[a].name, all[b].name);
    EXPECT_FALSE(settings_of(all[a]).empty());
  }
  EXPECT_FALSE(load_networks("no/such/folder"));
}

TEST(Roster, SettingsComeFromTheExperiment) {
  const std::vector<RosterEntry> all = roster();
  const auto entry = [&](std::string_view name) { return *std::ranges::find(all, name, &RosterEntry::name); };
  EXPECT_EQ(all.size(), 24U);
  EXPECT_EQ(settings_of(entry("exact_detours")), "lambda 1, fade 0.5, depth 2, rank 8, iterations 4, lambda 3, boxed");
  EXPECT_EQ(settings_of(entry("equivariant_mpc")), "H 3, iterations 4, lambda 3, boxed");
  EXPECT_EQ(entry("exact_second_order").corrector->retraction.kind, Retraction::second_order);
  EXPECT_EQ(entry("static").corrector->metric.warm_up, 16);
  EXPECT_EQ(entry("literal").published.p99_us, 1000 * 4.2);
  EXPECT_TRUE(entry("oracle").oracle);
}

TEST(Roster, TheGridVariesTheSketch) {
  const std::vector<RosterEntry> grid = budget_grid();
  ASSERT_EQ(grid.size(), 27U);
  EXPECT_EQ(grid.front().name, "sketch lambda 0.0001 r 4 beta 0.95");
  EXPECT_EQ(grid.back().corrector->metric.rank, 12);
}

}  // namespace
}  // namespace elastane::peptide
