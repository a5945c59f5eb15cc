// elastane/train/sequence_model.cpp: parity with the core's Stream for every block and for stacks, over any cut.
#include "elastane/train/sequence_model.h"

#include <gtest/gtest.h>

#include "elastane/core/network/network.h"
#include "elastane/core/stream/stream.h"
#include "tests/core/models.h"
#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

constexpr double kTolerance = 1e-5;

struct Pair {
  ModelConfig config;
  std::vector<elastane::Tensor> tensors = tensors_of(config);
  SequenceModel twin = SequenceModel::create(config, tensors).value();
  Model core = Model::create(config, tensors, {.isa = test_isa()}).value();
};

std::vector<ModelConfig> configs() {
  std::vector<ModelConfig> all;
  for (const BlockKind& kind : all_kinds()) {
    all.push_back(one_block(kind));
    all.back().learned_start = true;
  }
  // of memories, those in which every step writes, as in training
  for (const BlockKind& kind : memory_kinds()) {
    if (std::get<DeltaConfig>(kind).write == WritePolicy::always) all.push_back(one_block(kind));
  }
  all.push_back(one_block(DeltaConfig{.heads = 2, .key = 16, .value = 32}));
  all.push_back(hybrid_config());
  all.push_back(hybrid_config());
  all.back().learned_start = true;
  all.back().missing = Missing::zero;
  return all;
}

// what every row of a batch sees; some of it is missing
Sequences inputs(std::int64_t batch, std::int64_t length, int channels, bool irregular) {
  at::manual_seed(5);
  Sequences s{.x = 3 + 2 * at::randn({batch, length, channels})};
  s.x = s.x.masked_fill(at::rand({batch, length, channels}) < 0.1, NAN);
  s.present = at::rand({batch, length, channels}) > 0.1;
  if (irregular) s.dt = 0.1 + 2 * at::rand({batch, length});
  return s;
}

Sequences part(const Sequences& s, std::int64_t first, std::int64_t count) {
  const auto cut = [&](const at::Tensor& t) { return t.defined() ? t.narrow(1, first, count) : t; };
  return {cut(s.x), cut(s.present), cut(s.dt)};
}

// one step of one row, in the core's words
void advance(const Sequences& s, std::int64_t row, std::int64_t t, Stream& stream) {
  const at::Tensor x = s.x[row][t].contiguous(), present = s.present[row][t].to(at::kByte).contiguous();
  stream.advance({x.data_ptr<float>(), static_cast<std::size_t>(x.numel())},
                 {present.data_ptr<std::uint8_t>(), static_cast<std::size_t>(x.numel())},
                 s.dt.defined() ? s.dt[row][t].item<float>() : 1.0F);
}

at::Tensor streamed(const Sequences& s, std::int64_t row, Stream& stream) {
  const std::int64_t length = s.x.size(1);
  const at::Tensor y = at::empty({length, stream.model().outputs()});
  for (std::int64_t t = 0; t < length; ++t) {
    advance(s, row, t, stream);
    std::copy(stream.output().begin(), stream.output().end(), y.data_ptr<float>() + t * y.size(1));
  }
  return y;
}

class Twins : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  const Pair model{configs()[std::get<0>(GetParam())]};
  const bool irregular = std::get<1>(GetParam());
  const at::NoGradGuard no_grad;
};

TEST_P(Twins, WholeSequenceEqualsStreaming) {
  for (const std::int64_t length : {1, 2, 3, 17, 300}) {
    const Sequences s = inputs(3, length, model.config.inputs, irregular);
    const Forward whole = model.twin.forward(s, model.twin.start(3));
    for (const int row : {0, 2}) {
      Stream stream(model.core);
      EXPECT_LE(deviation(whole.y[row], streamed(s, row, stream)), kTolerance) << "length " << length;
    }
  }
}

TEST_P(Twins, AnyCutIsTheSame) {
  const Sequences s = inputs(2, 150, model.config.inputs, irregular);
  const Forward whole = model.twin.forward(s, model.twin.start(2));
  for (const std::int64_t chunk : {1, 7, 16, 64, 149}) {
    std::vector<at::Tensor> y;
    SequenceState state = model.twin.start(2);
    for (std::int64_t t = 0; t < 150; t += chunk) {
      const Forward next = model.twin.forward(part(s, t, std::min<std::int64_t>(chunk, 150 - t)), state);
      y.push_back(next.y);
      state = next.state;
    }
    EXPECT_LE(deviation(at::cat(y, 1), whole.y), kTolerance) << "chunks of " << chunk;
  }
}

TEST_P(Twins, AStreamContinuesFromATrainingState) {
  const Sequences s = inputs(2, 90, model.config.inputs, irregular);
  Stream expected(model.core), found(model.core);
  const at::Tensor y = streamed(s, 1, expected);
  for (const std::int64_t cut : {1, 2, 5, 40}) {
    const Forward first = model.twin.forward(part(s, 0, cut), model.twin.start(2));
    const at::Tensor last = first.y[1][cut - 1].contiguous();
    hand_over(first.state, 1, {last.data_ptr<float>(), static_cast<std::size_t>(last.numel())}, found).value();
    EXPECT_EQ(found.position(), static_cast<std::uint64_t>(cut));
    EXPECT_LE(deviation(streamed(part(s, cut, 90 - cut), 1, found), y.narrow(0, cut, 90 - cut)), kTolerance);
  }
}

TEST_P(Twins, TheStateDecodesToTheLastOutput) {
  const Sequences s = inputs(2, 40, model.config.inputs, irregular);
  const Forward whole = model.twin.forward(s, model.twin.start(2));
  EXPECT_LE(deviation(model.twin.decode(whole.state), whole.y.select(1, 39)), kTolerance);
  const at::Tensor z = model.twin.latents(whole.state);
  EXPECT_EQ(z.size(1), model.core.network().latents);
  EXPECT_TRUE(at::equal(model.twin.decode(model.twin.with_latents(whole.state, z)), model.twin.decode(whole.state)));
}

INSTANTIATE_TEST_SUITE_P(All, Twins,
                         testing::Combine(testing::Range(0, static_cast<int>(configs().size())), testing::Bool()));

TEST(SequenceModel, LongSequencesEqualStreaming) {
  const at::NoGradGuard no_grad;
  for (const ModelConfig& config : configs()) {
    const Pair model{config};
    const Sequences s = inputs(1, 4096, config.inputs, false);
    Stream stream(model.core);
    EXPECT_LE(deviation(model.twin.forward(s, model.twin.start(1)).y[0], streamed(s, 0, stream)), kTolerance);
  }
}

TEST(SequenceModel, GradientsAreThoseOfDifferences) {
  for (const bool irregular : {false, true}) {
    for (ModelConfig config : configs()) {
      const std::vector<elastane::Tensor> tensors = tensors_of(config);
      const SequenceModel model = SequenceModel::create(config, tensors, at::kDouble).value();
      const Sequences s = inputs(2, 6, config.inputs, irregular);
      const auto loss = [&] {
        const Forward first = model.forward(part(s, 0, 3), model.start(2));
        return model.forward(part(s, 3, 3), first.state).y.square().sum();  // state carried, learned start included
      };
      expect_gradients_of_weights(model, loss, std::string(block_name(config.blocks[0])), /*scale=*/1);
    }
  }
}

TEST(SequenceModel, TensorsThatDoNotFitAreNamed) {
  std::vector<elastane::Tensor> tensors = tensors_of(tiny_config());
  tensors.pop_back();
  const auto model = SequenceModel::create(tiny_config(), tensors, at::kFloat, "a.safetensors");
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().find("a.safetensors"), std::string::npos) << model.error();
}

}  // namespace
}  // namespace elastane::train
