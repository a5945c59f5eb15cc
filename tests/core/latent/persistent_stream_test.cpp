// Tests of elastane/core/latent/stream_corrector.h: coordinates that last learn what changed in the world, and keep it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "elastane/core/objective/gaussian.h"
#include "elastane/core/stream/stream.h"

namespace elastane {
namespace {

ModelConfig config_of(const std::string& kind) {
  ModelConfig config{.inputs = 2, .outputs = 3, .width = 12};
  BlockConfig block;
  if (kind == "selective") block.kind = SelectiveConfig{};
  if (kind == "gru") block.kind = GruConfig{};
  if (kind == "lstm") block.kind = LstmConfig{};
  if (kind == "mamba") block.kind = MambaConfig{.state = 4};
  if (kind == "s4d") block.kind = S4dConfig{.state = 4};
  config.blocks = {block};
  if (kind == "deep") config.blocks = {BlockConfig{.kind = MambaConfig{.state = 4}}, BlockConfig{.kind = GruConfig{}}};
  config.head = {.hidden = {16}};
  return config;
}

void fill(Random& random, std::vector<float>& x, double smooth) {
  for (float& v : x) v = static_cast<float>(smooth * v + (1 - smooth) * 2 * random.normal());
}

struct Change {
  float gain = 1, bias = 0, dt = 1, output_gain = 1, output_bias = 0;
};

struct Followed {
  double error = 0;  // of the prediction before its correction, late in the stream
  std::vector<double> c;
};

Followed follow(const std::string& kind, const Change& change, const StreamOptions& options, int steps,
                double noise = 0.01) {
  const ModelConfig config = config_of(kind);
  const Model model = Model::create(config, random_tensors(config, 7)).value();
  Stream world(model), learner(model, options);
  Random random(11);
  std::vector<float> x(2), seen(2), y(3);
  Followed result;
  for (int t = 0; t < steps; ++t) {
    fill(random, x, 0.7);
    for (std::size_t i = 0; i < x.size(); ++i) seen[i] = change.gain * x[i] + change.bias;
    world.advance(seen, change.dt);
    learner.advance(x);
    for (std::size_t j = 0; j < y.size(); ++j) y[j] = change.output_gain * world.output()[j] + change.output_bias;
    for (std::size_t j = 0; j < y.size() && t >= steps / 2; ++j) {
      result.error += std::pow(y[j] - learner.output()[j], 2) / (steps / 2 * y.size());
    }
    learner.correct(Gaussian(Target{.values = y, .noise = noise}));
  }
  const auto c = learner.persistent();
  result.c.assign(c.begin(), c.end());
  return result;
}

StreamOptions with(const PersistentLayout& coordinates, Metric metric = Metric::exact) {
  StreamOptions options;
  options.corrector = CorrectorOptions{.metric = {.kind = metric, .process_noise = 1e-8, .prior_variance = 1e-4}};
  options.corrector->trust.largest = 1e6;
  options.corrector->trust.radius = 1e3;
  options.latent.persistent.coordinates = coordinates;
  options.latent.persistent.latent_variance = 1e-5;
  options.latent.persistent.variance = 0.1;
  options.latent.persistent.noise = 1e-5;
  return options;
}

StreamOptions frozen() {
  StreamOptions options;
  options.corrector = CorrectorOptions{.gate = {.kind = Gate::never}};
  return options;
}

class PersistentStream : public testing::TestWithParam<std::string> {};

TEST_P(PersistentStream, LearnsWhatBecameOfItsInputs) {
  const Change change{.gain = 1.4F, .bias = 0.3F};
  for (const Metric metric : {Metric::exact, Metric::conjugate_gradient, Metric::kalman}) {
    const Followed still = follow(GetParam(), change, frozen(), 400);
    const Followed found = follow(GetParam(), change, with({.input_gain = true, .input_bias = true}, metric), 400);
    EXPECT_LT(found.error, 0.05 * still.error) << name(metric);
    ASSERT_EQ(found.c.size(), 4U);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(found.c[i], 0.4, 0.1) << name(metric);
    for (int i = 2; i < 4; ++i) EXPECT_NEAR(found.c[i], 0.3, 0.1) << name(metric);
  }
}

TEST_P(PersistentStream, LearnsTheTimeScaleOfTheWorld) {
  const Change change{.dt = 1.3F};
  const Followed still = follow(GetParam(), change, frozen(), 400);
  // a fresh mamba block hardly shows how fast time goes, so measure as finely as needed
  const double noise = 0.3 * std::sqrt(still.error);
  const Followed found = follow(GetParam(), change, with({.time_scale = true}), 400, noise);
  EXPECT_LT(found.error, 0.3 * still.error);
  EXPECT_NEAR(found.c.at(0), std::log(1.3), 0.08);
}

TEST_P(PersistentStream, LearnsWhatBecameOfItsOutputs) {
  const Change change{.output_gain = 1.5F, .output_bias = -0.4F};
  const Followed still = follow(GetParam(), change, frozen(), 400);
  const Followed found = follow(GetParam(), change, with({.output_gain = true, .output_bias = true}), 400);
  EXPECT_LT(found.error, 0.02 * still.error);
  const Followed read_out = follow(GetParam(), change, with({.output_bias = true, .readout_rank = 3}), 400);
  EXPECT_LT(read_out.error, 0.05 * still.error);
}

TEST_P(PersistentStream, BeginsAnotherRunWithWhatItLearned) {
  const ModelConfig config = config_of(GetParam());
  const Model model = Model::create(config, random_tensors(config, 7)).value();
  for (const Metric metric : {Metric::exact, Metric::kalman}) {
    const StreamOptions options = with({.output_bias = true, .input_bias = true}, metric);
    Stream stream(model, options), fresh(model, options);
    const std::vector<float> x = {0.3F, -0.2F}, y = {1, -1, 0.5F};
    for (int t = 0; t < 20; ++t) stream.step(x, Gaussian(Target{.values = y, .noise = 0.1}));
    const std::vector<double> learned(stream.persistent().begin(), stream.persistent().end());
    EXPECT_NE(learned, std::vector<double>(learned.size()));
    stream.restart();
    EXPECT_EQ(stream.position(), 0U);
    EXPECT_EQ(std::vector<double>(stream.persistent().begin(), stream.persistent().end()), learned);
    // z begins as in a stream that learned nothing
    const std::size_t network = model.state_bytes();
    EXPECT_TRUE(std::equal(stream.state().begin(), stream.state().begin() + network, fresh.state().begin()));
    // and runs on as often as it likes, always the same
    Stream again = stream;
    for (Stream* s : {&stream, &again}) s->step(x, Gaussian(Target{.values = y, .noise = 0.1}));
    EXPECT_TRUE(std::ranges::equal(stream.state(), again.state())) << name(metric);
    stream.reset();
    EXPECT_TRUE(std::ranges::equal(stream.state(), fresh.state())) << name(metric);
  }
}

TEST_P(PersistentStream, MovesOnlyCoordinatesThatHaveAVariance) {
  const Change change{.bias = 0.3F};
  for (const Metric metric : {Metric::exact, Metric::kalman}) {
    StreamOptions options = with({.input_bias = true}, metric);
    options.latent.persistent.variances = {1e-14, 0.1};
    options.latent.persistent.noises = {0, 1e-5};
    const Followed found = follow(GetParam(), change, options, 200);
    EXPECT_NEAR(found.c.at(0), 0, 1e-4) << name(metric);
    EXPECT_GT(std::fabs(found.c.at(1)), 0.05) << name(metric);
  }
}

// what was learned before and after a world's bias changes half-way, with an alarm or without
Followed meet_a_change(float bias, double alarm) {
  const ModelConfig config = config_of("gru");
  const Model model = Model::create(config, random_tensors(config, 7)).value();
  StreamOptions options = with({.input_bias = true});
  options.latent.persistent.noise = 1e-10;
  options.latent.persistent.alarm = alarm;
  Stream world(model), learner(model, options);
  Random random(11);
  std::vector<float> x(2), seen(2), y(3);
  Followed result;
  for (int t = 0; t < 2000; ++t) {
    fill(random, x, 0.7);
    for (std::size_t i = 0; i < x.size(); ++i) seen[i] = x[i] + (t < 1000 ? 0.0F : bias);
    world.advance(seen);
    learner.advance(x);
    for (std::size_t j = 0; j < y.size(); ++j) {
      y[j] = world.output()[j] + static_cast<float>(0.01 * random.normal());
      if (t >= 1500) result.error += std::pow(world.output()[j] - learner.output()[j], 2) / 1500;
    }
    learner.correct(Gaussian(Target{.values = y, .noise = 0.01}));
  }
  result.c.assign(learner.persistent().begin(), learner.persistent().end());
  return result;
}

TEST(PersistentAlarm, LetsCoordinatesMoveAgainAfterAChange) {
  const Followed quiet = meet_a_change(0.5F, 0), alarmed = meet_a_change(0.5F, 3);
  EXPECT_LT(alarmed.error, 0.1 * quiet.error);
  for (const double c : alarmed.c) EXPECT_NEAR(c, 0.5, 0.1);
}

TEST(PersistentAlarm, IsSilentWhileNothingChanges) { EXPECT_EQ(meet_a_change(0, 3).c, meet_a_change(0, 0).c); }

TEST(PersistentStreamOptions, SayHowManyVariancesThereMustBe) {
  const ModelConfig config = config_of("gru");
  const Model model = Model::create(config, random_tensors(config, 7)).value();
  StreamOptions options = with({.output_gain = true, .readout_rank = 2, .input_bias = true, .time_scale = true});
  options.latent.persistent.variances.assign(3, 1.0);
  const std::string why = validate(options, model).error();
  EXPECT_NE(why.find("expected 0 or 38 values, one per coordinate, found 3"), std::string::npos) << why;
  options.latent.persistent.variances.assign(38, 1.0);
  EXPECT_TRUE(validate(options, model));
  options.latent.persistent.noises.assign(38, -1.0);
  EXPECT_FALSE(validate(options, model));
}

INSTANTIATE_TEST_SUITE_P(Blocks, PersistentStream, testing::Values("selective", "gru", "lstm", "mamba", "s4d", "deep"),
                         [](const auto& block) { return block.param; });

}  // namespace
}  // namespace elastane
