// elastane/core/correction.h: coordinates that last learn what changed in the world, and keep it.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elastane/core/objective/gaussian.h"
#include "elastane/core/stream.h"

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

INSTANTIATE_TEST_SUITE_P(Blocks, PersistentStream, testing::Values("selective", "gru", "lstm", "mamba", "s4d", "deep"),
                         [](const auto& block) { return block.param; });

}  // namespace
}  // namespace elastane
