// lab/peptide/run_episode.h
#include "lab/peptide/run_episode.h"

#include <gtest/gtest.h>

#include "lab/peptide/horizon_agent.h"
#include "lab/peptide/stream_agent.h"
#include "tests/lab/peptide/small_model.h"

namespace elastane::peptide {
namespace {

TEST(RunEpisode, AnEpisodeIsRepeatedExactly) {
  const Model model = small_model();
  const DrawnEpisode drawn = draw_episode(11, 3);
  StreamOptions options;
  options.corrector = CorrectorOptions{};
  const auto distances_of = [&](Agent& agent) {
    std::vector<double> distances;
    const benchmark::Outcome outcome =
        run_episode(drawn, &agent, [&](const Step& s) { distances.push_back(s.distance); });
    distances.push_back(outcome.regret);
    distances.push_back(outcome.macs);
    return distances;
  };
  StreamAgent stream(model, options);
  const auto first = distances_of(stream);
  EXPECT_EQ(first, distances_of(stream)) << "begin forgets the last episode";
  HorizonAgent horizon(std::make_unique<StreamAgent>(model, StreamOptions{}), {});
  StreamAgent other(model, options);
  EXPECT_EQ(first, distances_of(other));
  EXPECT_EQ(distances_of(horizon), distances_of(horizon));
}

TEST(RunEpisode, TheOracleHasNoRegret) {
  const DrawnEpisode drawn = draw_episode(12, 1);
  const benchmark::Outcome outcome = run_episode(drawn, nullptr);
  EXPECT_TRUE(outcome.success);
  EXPECT_EQ(outcome.regret, 0.0);
}

}  // namespace
}  // namespace elastane::peptide
