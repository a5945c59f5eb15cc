// lab/protein_loop/roster.h, lesson.h: a metric that is learned for all windows
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "elastane/io/metric_file.h"
#include "lab/protein_loop/example.h"
#include "lab/protein_loop/run_episode.h"
#include "lab/protein_loop/roster.h"
#include "tests/paths.h"

namespace elastane::protein_loop {
namespace {

const RosterEntry* find(const std::vector<RosterEntry>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &RosterEntry::name);
  return found == all.end() ? nullptr : &*found;
}

TEST(LearnedMetric, AMetWindowIsDamagedAndCostsTheSameAfterItsPass) {
  CorrectorOptions corrector = window_corrector();
  corrector.gate = random_depths(kMaxDepth);
  WindowAgent agent({.corrector = corrector, .damping = window_damping()});
  const std::vector<DamagedWindow> a = gather_windows(agent, 5, 3), b = gather_windows(agent, 5, 3);
  ASSERT_GT(a.size(), 1U);
  ASSERT_EQ(a.size(), b.size());
  EnergyPoint point;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double energy = a[n].energy.evaluate(a[n].torsions, {}, point);
    EXPECT_GT(energy, 30);
    EXPECT_EQ(a[n].emphasis, emphasis_at(point.gap_length()));
    EXPECT_EQ(energy, b[n].energy.evaluate(b[n].torsions, {}, point));
    EXPECT_EQ(a[n].torsions, b[n].torsions);
  }
}

TEST(LearnedMetric, TheShippedOneTakesMostOfTheDamageAway) {
  const auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  EXPECT_EQ(networks->metric.rank(), 4);
  const std::vector<RosterEntry> all = roster(*networks);
  const RosterEntry* learned = find(all, "learned_metric");
  ASSERT_NE(learned, nullptr);
  const auto agent = make_agent(*learned, *networks);
  const Episode damage = draw_episode(25, 0);
  const EpisodeResult first = run_episode(damage, *agent), again = run_episode(damage, *agent);
  EXPECT_EQ(first.excess(), again.excess());
  EXPECT_GT(first.accepted, 0);
  EXPECT_LT(first.excess(), 0.5 * (assess(damage.bent).terms.total() - first.native.terms.total()));
}

TEST(LearnedMetric, WithoutItsFileTheAgentIsLeftOut) {
  auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  networks->metric = {};
  const std::vector<RosterEntry> all = roster(*networks);
  EXPECT_EQ(find(all, "learned_metric"), nullptr);
  EXPECT_NE(find(all, "euclidean"), nullptr);
}

TEST(LearnedMetric, OneOfAnotherSizeIsRefusedByName) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "metric_of_another_size";
  std::filesystem::create_directories(folder);
  for (const char* network : {"ssm", "transformer", "hybrid", "gate"}) {
    const std::string name = std::string("protein_loop_") + network + ".safetensors";
    std::filesystem::copy_file(std::filesystem::path(ELASTANE_MODELS) / name, folder / name,
                               std::filesystem::copy_options::overwrite_existing);
  }
  EXPECT_TRUE(load_networks(folder.string()));
  const MetricWeights three{.diagonal = {1, 1, 1}};
  ASSERT_TRUE(save_metric((folder / "protein_loop_metric.safetensors").string(), three));
  const auto networks = load_networks(folder.string());
  ASSERT_FALSE(networks);
  EXPECT_NE(networks.error().find("expected 26 latents, found 3"), std::string::npos) << networks.error();
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace elastane::protein_loop
