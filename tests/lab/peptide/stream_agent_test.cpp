// lab/peptide/stream_agent.h
#include "lab/peptide/stream_agent.h"

#include <gtest/gtest.h>

#include "lab/peptide/draw_episode.h"
#include "tests/lab/peptide/small_model.h"

namespace elastane::peptide {
namespace {

TEST(StreamAgent, ACorrectionNeverRaisesTheLossAndIsCounted) {
  const Model model = small_model();
  const DrawnEpisode drawn = draw_episode(11, 3);
  const Energy energy{Chain(drawn.episode.sequence)};
  StreamOptions options;
  options.corrector = CorrectorOptions{};
  StreamAgent plain(model, {}), corrected(model, options);
  std::array<float, kInputs> x;
  std::array<float, kOutputs> y = {};
  EnergyPoint point;
  plain.begin(energy);
  corrected.begin(energy);
  for (int step = 0; step < 5; ++step) {
    observe(energy, drawn.episode.start, drawn.episode.first, point, x);
    plain.act(x, drawn.episode.start, drawn.episode.first, y);
    corrected.act(x, drawn.episode.start, drawn.episode.first, y);
    EXPECT_EQ(plain.report().depth, 0);
    EXPECT_LE(corrected.report().loss_after, corrected.report().loss_before);
    EXPECT_GT(corrected.report().macs, plain.report().macs);
  }
}

}  // namespace
}  // namespace elastane::peptide
