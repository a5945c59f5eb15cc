// Tests of elastane/core/latent/stream_corrector.h: corrections that fade, and outputs that no objective judges.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/corrected.h"

namespace elastane {
namespace {

ModelConfig selective_config() {
  ModelConfig config{.inputs = 3, .outputs = 5, .width = 12};
  config.blocks = {BlockConfig{.kind = MlpConfig{.hidden = 16}}, BlockConfig{.kind = SelectiveConfig{}}};
  config.head = {.hidden = {16}};
  return config;
}

StreamOptions corrected(double fade, int judged = 0) {
  StreamOptions options;
  options.corrector = CorrectorOptions{};
  options.corrector->metric.kind = Metric::exact;
  options.latent.fade = fade;
  options.latent.judged = judged;
  return options;
}

std::vector<float> input(Random& random, int n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (float& v : x) v = static_cast<float>(random.normal());
  return x;
}

double distance(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
  return std::sqrt(sum);
}

// how far a stream is from one that was never corrected, after the correction and the steps that follow
std::vector<double> departures(const Model& model, double fade, int steps) {
  Stream free(model), stream(model, corrected(fade));
  Random random(5);
  const std::vector<float> label = {1, -1, 0.5F, 2, -2};
  for (int t = 0; t < 4; ++t) {
    const std::vector<float> x = input(random, 3);
    free.advance(x);
    stream.advance(x);
  }
  EXPECT_GT(stream.correct(Gaussian({.values = label})).accepted, 0);
  std::vector<double> far = {distance(free.output(), stream.output())};
  for (int t = 0; t < steps; ++t) {
    const std::vector<float> x = input(random, 3);
    free.advance(x);
    stream.advance(x);
    far.push_back(distance(free.output(), stream.output()));
  }
  return far;
}

TEST(Fade, OfAllTakesACorrectionBackWithTheNextStep) {
  const Model model = model_of(selective_config());
  const std::vector<double> far = departures(model, 1, 3);
  EXPECT_GT(far[0], 0.1);
  for (std::size_t t = 1; t < far.size(); ++t) EXPECT_LT(far[t], 1e-5) << t;
}

TEST(Fade, OfNothingLeavesItToTheModel) {
  const Model model = model_of(selective_config());
  EXPECT_GT(departures(model, 0, 3)[1], 1e-3);
}

TEST(Fade, OfAShareTakesBackThatShare) {
  const Model model = model_of(selective_config());
  const std::vector<double> stays = departures(model, 0, 6), fades = departures(model, 0.3, 6);
  EXPECT_EQ(stays[0], fades[0]);
  double share = 1;
  for (std::size_t t = 1; t < stays.size(); ++t) {
    share *= 0.7;
    // outputs are not linear in z, so about
    EXPECT_NEAR(fades[t] / stays[t], share, 0.15) << t;
  }
}

TEST(Fade, OfAnyBlockBringsItNearer) {
  for (const BlockKind& kind : all_kinds()) {
    if (!is_recurrent(kind)) continue;
    ModelConfig config = one_block(kind);
    const Model model = model_of(config);
    Stream free(model), stays(model, corrected(0)), fades(model, corrected(0.5));
    Random random(7);
    std::vector<float> label(static_cast<std::size_t>(config.outputs), 1.5F);
    const auto advance = [&] {
      const std::vector<float> x = input(random, config.inputs);
      for (Stream* stream : {&free, &stays, &fades}) stream->advance(x);
    };
    for (int t = 0; t < 6; ++t) advance();
    stays.correct(Gaussian({.values = label}));
    fades.correct(Gaussian({.values = label}));
    for (int t = 0; t < 4; ++t) advance();
    EXPECT_LE(distance(free.output(), fades.output()), distance(free.output(), stays.output()) + 1e-6);
  }
}

TEST(Fade, LivesInTheStateSoThatForksAndSnapshotsHaveIt) {
  const Model model = model_of(selective_config());
  Stream stream(model, corrected(0.2));
  Random random(9);
  const std::vector<float> label = {1, -1, 0.5F, 2, -2};
  for (int t = 0; t < 5; ++t) {
    stream.advance(input(random, 3));
    stream.correct(Gaussian({.values = label}));
  }
  Stream fork = stream, restored(model, corrected(0.2));
  ASSERT_TRUE(restored.restore(snapshot_of(stream)));
  for (int t = 0; t < 5; ++t) {
    const std::vector<float> x = input(random, 3);
    for (Stream* each : {&stream, &fork, &restored}) {
      each->advance(x);
      each->correct(Gaussian({.values = label}));
    }
    EXPECT_TRUE(same_state(stream, fork));
    EXPECT_TRUE(same_state(stream, restored));
  }
}

TEST(Judged, OutputsCorrectAsIfTheOthersWereMissing) {
  const Model model = model_of(selective_config());
  Stream some(model, corrected(0, 2)), all(model, corrected(0));
  Random random(11);
  const std::vector<float> two = {1, -1}, label = {1, -1, NAN, NAN, NAN};
  for (int t = 0; t < 8; ++t) {
    const std::vector<float> x = input(random, 3);
    some.advance(x);
    all.advance(x);
    const StepReport one = some.correct(Gaussian({.values = two})), other = all.correct(Gaussian({.values = label}));
    EXPECT_EQ(one.accepted, other.accepted);
    ASSERT_EQ(some.output().size(), 5U);
    // λ is in units of tr(A), which is over what is judged; missing channels add nothing to it
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(some.output()[i], all.output()[i], 1e-4) << t;
  }
}

TEST(Judged, AndFadeOutOfRangeAreRefused) {
  const Model model = model_of(selective_config());
  EXPECT_FALSE(Stream::create(model, corrected(0, 6)));
  EXPECT_FALSE(Stream::create(model, corrected(0, -1)));
  EXPECT_FALSE(Stream::create(model, corrected(1.5)));
  EXPECT_FALSE(Stream::create(model, corrected(-0.1)));
  EXPECT_FALSE(Stream::create(model, corrected(std::nan(""))));
}

TEST(AdaptedInputs, AreTheFirstOnesAndNoOthers) {
  const Model model = model_of(selective_config());
  StreamOptions options = corrected(0);
  options.latent.persistent.coordinates.input_bias = true;
  options.latent.persistent.coordinates.adapted_inputs = 2;
  Stream stream(model, options);
  EXPECT_EQ(stream.persistent().size(), 2U);
  Random random(13);
  for (int t = 0; t < 20; ++t) {
    stream.advance(input(random, 3));
    stream.correct(Gaussian({.values = std::vector<float>{1, -1, 0.5F, 2, -2}}));
    for (const float y : stream.output()) EXPECT_TRUE(std::isfinite(y));
  }
  EXPECT_GT(std::fabs(stream.persistent()[0]) + std::fabs(stream.persistent()[1]), 0);
  options.latent.persistent.coordinates.adapted_inputs = 4;
  EXPECT_FALSE(Stream::create(model, options));
}

}  // namespace
}  // namespace elastane
