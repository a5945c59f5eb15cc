// lab/peptide/tuning.h
#include "lab/peptide/tuning.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/paths.h"

namespace elastane::peptide {
namespace {

RosterEntry entry_of(std::string_view name) {
  const std::vector<RosterEntry> all = roster();
  return *std::ranges::find(all, name, &RosterEntry::name);
}

TEST(Tuning, EveryAgentWithSettingsHasTwelve) {
  EXPECT_TRUE(variants(entry_of("frozen")).empty());
  for (const char* name : {"exact", "plan_gauss_newton", "equivariant_mpc"}) {
    const std::vector<RosterEntry> all = variants(entry_of(name));
    ASSERT_EQ(all.size(), 12U) << name;
    for (std::size_t n = 1; n < all.size(); ++n) EXPECT_NE(settings_of(all[n]), settings_of(all[0])) << name;
  }
}

TEST(Tuning, AScoreIsAMeanOverEpisodes) {
  const Networks networks = load_networks(ELASTANE_MODELS).value();
  const std::vector<DrawnEpisode> episodes = {draw_episode(1001, 0), draw_episode(1001, 1)};
  const TuningScore s = score(entry_of("oracle"), networks, episodes);
  EXPECT_EQ(s.success, 1);
  EXPECT_EQ(s.regret, 0);
  EXPECT_EQ(s.steps, s.successful_steps);
}

TEST(Tuning, APreviewHasALineForEveryAgentThatIsNamed) {
  std::vector<std::string> lines;
  preview({.models = ELASTANE_MODELS, .seed = 1001, .episodes = 2, .only = {"frozen", "oracle"}},
          [&](const std::string& line) { lines.push_back(line); });
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].starts_with("frozen"));
  EXPECT_TRUE(lines[2].starts_with("oracle"));
}

}  // namespace
}  // namespace elastane::peptide
