// elastane/core/stream/stream_guard.h: a guarded stream is one of its two streams, and is kept whole.
#include "elastane/core/stream/stream_guard.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "elastane/core/objective/gaussian.h"
#include "elastane/core/stream/stream.h"

namespace elastane {
namespace {

Model a_model() {
  ModelConfig config{.inputs = 2, .outputs = 3, .width = 12};
  config.blocks = {BlockConfig{.kind = MambaConfig{.state = 4}}, BlockConfig{.kind = GruConfig{}}};
  config.head = {.hidden = {16}};
  return Model::create(config, random_tensors(config, 7)).value();
}

StreamOptions adapting(GuardKind kind) {
  StreamOptions options;
  options.corrector = CorrectorOptions{};
  options.latent.persistent.coordinates.output_bias = true;
  options.noise = {0.05F};
  options.guard.kind = kind;
  return options;
}

// a world whose outputs are shifted between two steps
struct World {
  explicit World(const Model& model) : stream(model) {}

  void step(int t) {
    for (float& v : x) v = static_cast<float>(0.6 * v + 0.8 * random.normal());
    stream.advance(x);
    for (std::size_t i = 0; i < label.size(); ++i) {
      label[i] = stream.output()[i] + (t >= 200 && t < 500 ? 0.5F : 0.0F) + static_cast<float>(0.05 * random.normal());
    }
  }

  Stream stream;
  Random random{5, 0};
  std::vector<float> x = std::vector<float>(2), label = std::vector<float>(3);
};

bool same(std::span<const float> a, std::span<const float> b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(StreamGuard, IsThereWhereAdaptationLastsUnlessItIsSwitchedOff) {
  const Model model = a_model();
  StreamOptions forgetting;
  forgetting.corrector = CorrectorOptions{};
  EXPECT_TRUE(Stream(model, adapting(GuardKind::automatic)).has_guard());
  EXPECT_FALSE(Stream(model, adapting(GuardKind::off)).has_guard());
  EXPECT_FALSE(Stream(model, forgetting).has_guard());
  EXPECT_FALSE(Stream(model).has_guard());
  forgetting.guard.kind = GuardKind::mixture;
  EXPECT_TRUE(Stream(model, forgetting).has_guard());
}

TEST(StreamGuard, SpeaksAsOneOfTheTwoBitForBitAndFollowsTheBetterOne) {
  const Model model = a_model();
  Stream guarded(model, adapting(GuardKind::automatic)), frozen(model), adapted(model, adapting(GuardKind::off));
  World world(model);
  int adapted_at_rest = 0, adapted_changed = 0;
  for (int t = 0; t < 800; ++t) {
    world.step(t);
    for (Stream* stream : {&guarded, &frozen, &adapted}) stream->advance(world.x);
    ASSERT_TRUE(same(guarded.frozen_output(), frozen.output())) << t;
    ASSERT_TRUE(same(guarded.adapted_output(), adapted.output())) << t;
    const bool heard = guarded.guard().speaker == Speaker::adapted;
    ASSERT_TRUE(same(guarded.output(), heard ? adapted.output() : frozen.output())) << t;
    if (t >= 100 && t < 200) adapted_at_rest += heard ? 1 : 0;
    if (t >= 230 && t < 500) adapted_changed += heard ? 1 : 0;
    const StepReport report = guarded.observe(world.label);
    EXPECT_EQ(report.guard.speaker, heard ? Speaker::adapted : Speaker::frozen);
    adapted.observe(world.label);
  }
  EXPECT_LE(adapted_at_rest, 10);
  EXPECT_GE(adapted_changed, 265);
}

TEST(StreamGuard, ASnapshotHoldsTheGuardAndItsTwin) {
  const Model model = a_model();
  for (const GuardKind kind : {GuardKind::switched, GuardKind::mixture}) {
    Stream one(model, adapting(kind)), other(model, adapting(kind));
    World world(model);
    for (int t = 0; t < 260; ++t) {
      world.step(t);
      one.advance(world.x);
      if (t < 259) one.observe(world.label);
    }
    std::vector<std::byte> bytes(one.snapshot_bytes());
    ASSERT_TRUE(one.snapshot(bytes));
    ASSERT_TRUE(other.restore(bytes));
    EXPECT_TRUE(same(one.output(), other.output()));
    for (int t = 259; t < 600; ++t) {
      one.observe(world.label), other.observe(world.label);
      ASSERT_TRUE(same(one.output(), other.output())) << name(kind) << t;
      world.step(t + 1);
      one.advance(world.x), other.advance(world.x);
      ASSERT_TRUE(same(one.output(), other.output())) << name(kind) << t;
      ASSERT_EQ(one.guard().weight, other.guard().weight);
    }
    EXPECT_FALSE(Stream(model, adapting(GuardKind::off)).restore(bytes));
  }
}

TEST(StreamGuard, LateLabelsAreJudgedAsIfTheyHadComeInTime) {
  const Model model = a_model();
  StreamOptions options = adapting(GuardKind::automatic);
  options.history = 8;
  Stream prompt(model, options), late(model, options);
  World world(model);
  std::vector<std::vector<float>> labels;
  for (int t = 0; t < 400; ++t) {
    world.step(t);
    labels.push_back(world.label);
    prompt.advance(world.x);
    late.advance(world.x);
    prompt.observe(world.label);
    if (t >= 3) late.observe(labels[static_cast<std::size_t>(t - 3)], static_cast<std::uint64_t>(t - 2));
  }
  for (std::uint64_t at = 398; at <= 400; ++at) late.observe(labels[at - 1], at);
  EXPECT_TRUE(same(prompt.output(), late.output()));
  EXPECT_EQ(prompt.guard().weight, late.guard().weight);
  EXPECT_EQ(0, std::memcmp(prompt.state().data(), late.state().data(), prompt.state().size()));
}

TEST(StreamGuard, AMixtureLiesBetweenTheTwo) {
  const Model model = a_model();
  Stream guarded(model, adapting(GuardKind::mixture));
  World world(model);
  int mixed = 0;
  for (int t = 0; t < 600; ++t) {
    world.step(t);
    guarded.advance(world.x);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax(guarded.frozen_output()[i], guarded.adapted_output()[i]);
      ASSERT_LE(low - 1e-6F, guarded.output()[i]);
      ASSERT_GE(high + 1e-6F, guarded.output()[i]);
    }
    mixed += guarded.guard().speaker == Speaker::both ? 1 : 0;
    guarded.observe(world.label);
  }
  EXPECT_GT(mixed, 500);
}

TEST(StreamGuard, ChunksAreSpokenLikeSteps) {
  const Model model = a_model();
  Stream steps(model, adapting(GuardKind::switched)), chunk(model, adapting(GuardKind::switched));
  std::vector<float> x(2 * 40), y(3 * 40);
  Random random(9, 0);
  for (float& v : x) v = static_cast<float>(random.normal());
  chunk.advance_chunk(x, y);
  for (std::size_t t = 0; t < 40; ++t) {
    steps.advance(std::span(x).subspan(2 * t, 2));
    ASSERT_TRUE(same(steps.output(), std::span(y).subspan(3 * t, 3)));
  }
}

}  // namespace
}  // namespace elastane
