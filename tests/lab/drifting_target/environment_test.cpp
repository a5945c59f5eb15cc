// lab/drifting_target/environment.cpp: a target that drifts and jumps.
#include "lab/drifting_target/environment.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::drifting_target {
namespace {

TEST(Environment, JumpsAtEachQuarterAndDriftsInBetween) {
  const Episode episode{.outputs = 32, .seed = 2, .steps = 64};
  const Model model = make_model(episode);
  Stream stream(model);
  Environment environment(episode, model);
  const float x[] = {0.0F};
  std::vector<float> before;
  for (int t = 0; t < episode.steps; ++t) {
    stream.advance(x);
    const std::span<const float> target = environment.step(stream.state());
    double moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i) moved += std::fabs(target[i] - before[i]) / 32;
    if (t > 0) {
      EXPECT_EQ(moved > 0.1, t % 16 == 0) << t << ", " << moved;
    }
    before.assign(target.begin(), target.end());
  }
}

TEST(Environment, TheLatentOfTheModelStaysConstantWithoutCorrections) {
  const Model model = make_model({});
  Stream stream(model);
  const float x[] = {0.0F};
  stream.advance(x);
  const std::vector<float> first(stream.output().begin(), stream.output().end());
  for (int t = 0; t < 20; ++t) stream.advance(x);
  EXPECT_EQ(first, std::vector<float>(stream.output().begin(), stream.output().end()));
}

TEST(Environment, CorrectionsFollowTheTarget) {
  CorrectorOptions exact, none;
  none.gate.kind = Gate::never;
  const Episode episode{.steps = 64};
  EXPECT_LT(follow(episode, exact).loss, 0.2 * follow(episode, none).loss);
}

}  // namespace
}  // namespace elastane::drifting_target
