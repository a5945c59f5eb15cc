// lab/protein_loop/roster.h
#include "lab/protein_loop/roster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "elastane/io/metric_file.h"
#include "lab/protein_loop/run_episode.h"
#include "tests/paths.h"

namespace elastane::protein_loop {
namespace {

const RosterEntry* find(const std::vector<RosterEntry>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &RosterEntry::name);
  return found == all.end() ? nullptr : &*found;
}

TEST(LoopRoster, TheShippedEsmClosesTheChainAndLeavesMostWindowsAlone) {
  const auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  const std::vector<RosterEntry> all = roster(*networks);
  const auto esm = std::ranges::find(all, "esm", &RosterEntry::name);
  ASSERT_NE(esm, all.end());
  const auto agent = make_agent(*esm, *networks);
  const Episode episode = draw_episode(25, 0);
  const EpisodeResult result = run_episode(episode, *agent);
  EXPECT_LT(result.excess(), 0.01 * (assess(episode.bent).terms.total() - result.native.terms.total()));
  EXPECT_LT(result.refined, result.steps / 2);
}

TEST(LearnedMetric, TheShippedOneTakesMostOfTheDamageAway) {
  const auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  EXPECT_EQ(networks->metric.rank(), 4);
  const std::vector<RosterEntry> all = roster(*networks);
  const RosterEntry* learned = find(all, "learned_metric");
  ASSERT_NE(learned, nullptr);
  const auto agent = make_agent(*learned, *networks);
  const Episode episode = draw_episode(25, 0);
  const EpisodeResult first = run_episode(episode, *agent), again = run_episode(episode, *agent);
  EXPECT_EQ(first.excess(), again.excess());
  EXPECT_GT(first.accepted, 0);
  EXPECT_LT(first.excess(), 0.5 * (assess(episode.bent).terms.total() - first.native.terms.total()));
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

TEST(LoopRoster, SettingsComeFromTheExperiment) {
  const auto networks = load_networks(ELASTANE_MODELS);
  ASSERT_TRUE(networks) << networks.error();
  const std::vector<RosterEntry> all = roster(*networks, {1, 2, 3});
  EXPECT_EQ(all.size(), 17U);
  EXPECT_EQ(settings_of(*find(all, "ssm")), "as trained");
  EXPECT_EQ(settings_of(*find(all, "corrector_restarts")), "lambda 30, depth 8, gate learned, restarts 4");
  EXPECT_EQ(settings_of(*find(all, "uniform_2")), "lambda 30, depth 2, gate always, restarts 0");
  EXPECT_EQ(find(all, "random")->corrector->gate.histogram.size(), 3U);
  EXPECT_EQ(find(all, "kappa")->corrector->gate.threshold, 8);
  EXPECT_EQ(find(all, "oracle")->oracle_price, 1);
  EXPECT_EQ(find(all, "euclidean")->corrector->trust.radius, 100);
  EXPECT_EQ(find(all, "diagonal")->curvature, Curvature::diagonal);
}

}  // namespace
}  // namespace elastane::protein_loop
