// Tests of elastane/core/backbone/delta.cpp: a memory as a block, with every rule and every way to choose its writes.
#include "elastane/core/backbone/delta.h"

#include <deque>

#include "elastane/core/network/block_summary.h"
#include "tests/core/backbone/lone_block.h"

namespace elastane {
namespace {

constexpr std::size_t kKeys = 5, kValues = 4, kTaps = 3;

// the last inputs of one convolution, the newest first
struct Taps {
  Values weight;
  std::size_t channels;
  std::deque<Values> past = std::deque<Values>(kTaps, Values(channels));

  Values operator()(const Values& x) {
    past.push_front(x);
    past.pop_back();
    Values y(channels);
    for (std::size_t i = 0; i < channels; ++i) {
      for (std::size_t k = 0; k < kTaps; ++k) y[i] += weight[i * kTaps + kTaps - 1 - k] * past[k][i];
    }
    return y;
  }
};

Values unit(Values x) {
  double squares = 1e-5 * static_cast<double>(x.size());
  for (const double v : x) squares += v * v;
  for (double& v : x) v /= std::sqrt(squares);
  return x;
}

// Mᵀk for M [key][value]
Values recalled(const Values& m, const Values& k) {
  Values y(kValues);
  for (std::size_t i = 0; i < kKeys; ++i) {
    for (std::size_t j = 0; j < kValues; ++j) y[j] += k[i] * m[i * kValues + j];
  }
  return y;
}

Values normed(Values o, const Values& weight) {
  double squares = 0;
  for (const double v : o) squares += v * v / kValues;
  for (std::size_t j = 0; j < kValues; ++j) o[j] *= weight[j] / std::sqrt(squares + 1e-5);
  return o;
}

// one lone block and its recurrence in double; gain(k) is g of the write
template <class Gain>
void expect_equations(const DeltaConfig& config, Gain gain) {
  const LoneBlock block(config);
  Taps q{block("q_conv1d.weight"), kKeys}, k{block("k_conv1d.weight"), kKeys}, v{block("v_conv1d.weight"), kValues};
  Values m(kKeys * kValues);
  expect_recurrence(block, 40, [&](const Values& u, int) {
    const Values query = unit(q(affine(block("q_proj.weight"), {}, u, kKeys)));
    const Values key = unit(k(affine(block("k_proj.weight"), {}, u, kKeys)));
    const Values value = v(affine(block("v_proj.weight"), {}, u, kValues));
    const double beta = sigmoid(affine(block("b_proj.weight"), block("b_proj.bias"), u, 1)[0]);
    const double alpha = config.decay ? sigmoid(affine(block("a_proj.weight"), block("a_proj.bias"), u, 1)[0]) : 1.0;
    for (double& x : m) x *= alpha;
    const Values known = recalled(m, key), g = gain(key, beta);
    for (std::size_t i = 0; i < kKeys; ++i) {
      for (std::size_t j = 0; j < kValues; ++j) m[i * kValues + j] += g[i] * (value[j] - known[j]);
    }
    return affine(block("o_proj.weight"), {}, normed(recalled(m, query), block("o_norm.weight")), LoneBlock::kWidth);
  });
}

TEST(Delta, StepsLikeItsEquations) {
  for (const bool decay : {true, false}) {
    expect_equations({.key = kKeys, .value = kValues, .taps = kTaps, .decay = decay}, [](Values key, double beta) {
      for (double& x : key) x *= beta;
      return key;
    });
  }
}

TEST(Delta, LeastSquaresStepsLikeItsEquations) {
  Values p(kKeys * kKeys);
  for (std::size_t i = 0; i < kKeys; ++i) p[i * (kKeys + 1)] = 1;
  const double noise = 0.3;
  expect_equations(
      {.key = kKeys, .value = kValues, .taps = kTaps, .decay = false, .rule = WriteRule::least_squares, .noise = noise},
      [&](const Values& key, double beta) {
        Values pk = affine(p, {}, key, kKeys);
        double spread = 0;
        for (std::size_t i = 0; i < kKeys; ++i) spread += pk[i] * key[i];
        const double factor = beta / (noise + beta * spread);
        for (std::size_t i = 0; i < kKeys * kKeys; ++i) p[i] -= factor * pk[i / kKeys] * pk[i % kKeys];
        for (double& x : pk) x *= factor;
        return pk;
      });
}

TEST(Delta, ObeysTheLawsOfBlocks) {
  expect_block_laws(DeltaConfig{.key = 5, .taps = 3});
  expect_block_laws(DeltaConfig{.heads = 3, .key = 16, .value = 32});
  expect_block_laws(DeltaConfig{.decay = false, .rule = WriteRule::least_squares});
}

// between blocks with other classes of state
ModelConfig stack_of(const BlockKind& kind) {
  ModelConfig config{.inputs = 3, .outputs = 2, .width = 10};
  config.blocks = {
      {.kind = GruConfig{}}, {.kind = kind}, {.kind = AttentionConfig{.heads = 5, .window = 4}}, {.kind = kind}};
  return config;
}

class DeltaOf : public testing::TestWithParam<BlockKind> {
 protected:
  const Model model = model_of(stack_of(GetParam()));
  const Input input{3};
};

TEST_P(DeltaOf, AChunkEqualsItsStepsWithTheirWritesAndCost) {
  Stream steps(model), chunk(model);
  std::vector<float> x;
  BlockReport all;
  std::int64_t macs = 0;
  for (int t = 0; t < 61; ++t) {
    const std::vector<float> row = input(t);
    x.insert(x.end(), row.begin(), row.end());
    const AdvanceReport report = steps.advance(row);
    all += report.blocks[1];
    macs += report.macs;
    EXPECT_LE(report.macs, model.macs());
  }
  const AdvanceReport report = chunk.advance_chunk(x);
  EXPECT_EQ(report.macs, macs);
  EXPECT_EQ(report.blocks[1], all);
  EXPECT_TRUE(same_bits(chunk.output(), steps.output()));
  EXPECT_TRUE(same_state(chunk, steps));
  const bool always = std::get<DeltaConfig>(GetParam()).write == WritePolicy::always;
  EXPECT_EQ(all.tokens_written == 61, always);
  EXPECT_GT(all.tokens_written, 0);
  EXPECT_GT(all.surprise, 0);
}

TEST_P(DeltaOf, SnapshotsForksAndRewindingKeepTheMemory) {
  Stream stream(model, {.history = 9}), other(model);
  std::vector<Stream> then;
  for (int t = 0; t < 40; ++t) {
    then.push_back(stream);
    stream.advance(input(t));
  }
  const Stream fork = stream;
  ASSERT_TRUE(other.restore(snapshot_of(stream)));
  EXPECT_TRUE(same_state(stream, other));
  for (int back = 1; back <= 9; ++back) {
    ASSERT_TRUE(stream.rewind(1));
    ASSERT_TRUE(same_state(stream, then[static_cast<std::size_t>(40 - back)])) << back << " steps back";
  }
  for (int t = 31; t < 40; ++t) stream.advance(input(t));
  EXPECT_TRUE(same_state(stream, fork));
  for (int t = 40; t < 60; ++t) {
    stream.advance(input(t));
    other.advance(input(t));
    ASSERT_TRUE(same_bits(stream.output(), other.output())) << t;
  }
  other.reset();
  EXPECT_TRUE(same_state(other, Stream(model)));
}

TEST_P(DeltaOf, AFleetEqualsSingleStreamsBitForBit) {
  constexpr int kStreams = 19;
  Fleet fleet(model, kStreams);
  std::vector<Stream> singles(kStreams, Stream(model));
  for (int t = 0; t < 30; ++t) {
    std::vector<float> x;
    BlockReport memory;
    for (int i = 0; i < kStreams; ++i) {
      const std::vector<float> row = Input{3, static_cast<std::uint64_t>(i)}(t);
      x.insert(x.end(), row.begin(), row.end());
      memory += singles[static_cast<std::size_t>(i)].advance(row).blocks[1];
    }
    EXPECT_EQ(fleet.advance(x).blocks[1], memory);
    for (int i = 0; i < kStreams; ++i) {
      ASSERT_TRUE(same_bits(fleet.output(i), singles[static_cast<std::size_t>(i)].output())) << i << ", step " << t;
    }
  }
}

TEST_P(DeltaOf, ACorrectorRefusesTheModelAndSaysWhy) {
  const Result<Stream> stream = Stream::create(model, {.corrector = CorrectorOptions{}});
  ASSERT_FALSE(stream);
  EXPECT_NE(stream.error().find("delta"), std::string::npos) << stream.error();
}

INSTANTIATE_TEST_SUITE_P(Kind, DeltaOf, testing::ValuesIn(memory_kinds()));

// The slow part of the state of a stream.
std::vector<float> slow_of(const Stream& stream) {
  const StateLayout& layout = stream.model().network().layout;
  const auto* first = reinterpret_cast<const float*>(stream.state().data() + layout.slow);
  return {first, first + (layout.size - layout.slow) / sizeof(float)};
}

TEST(Delta, AStepThatDoesNotWriteChangesNoByteOfItsMatrix) {
  const Model model =
      model_of(one_block(DeltaConfig{.key = 8, .decay = false, .write = WritePolicy::surprise, .threshold = 0.6}));
  Stream stream(model);
  int closed = 0;
  for (int t = 0; t < 200; ++t) {
    const std::vector<float> before = slow_of(stream);
    const AdvanceReport report = stream.advance(Input{3}(t % 9));
    const bool wrote = report.blocks[0].tokens_written > 0;
    EXPECT_EQ(wrote, !same_bits(before, slow_of(stream)));
    EXPECT_EQ(report.macs == model.macs(), wrote) << "what is not written is not charged";
    closed += wrote ? 0 : 1;
  }
  EXPECT_GT(closed, 100) << "nine rows come again and again";
}

TEST(Delta, IsInspected) {
  const auto summary = [](const DeltaConfig& config) { return summarise_blocks(model_of(one_block(config)))[0]; };
  EXPECT_EQ(summary({.heads = 1}).settings, "heads 1, taps 4, decay");
  const BlockSummary gated = summary({.key = 4, .decay = false, .write = WritePolicy::budget, .share = 0.25});
  EXPECT_EQ(gated.settings, "heads 1, taps 4, writes on surprise above 0.5, in 0.25 of steps, burst 64");
  EXPECT_EQ(gated.slow, sizeof(float) * 4 * 16);
  EXPECT_EQ(gated.latents, 0);
}

TEST(Delta, WhatItRefusesIsReported) {
  const auto refusal = [](const DeltaConfig& config) {
    const Status status = validate(one_block(config));
    return status ? std::string() : status.error();
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.write = WritePolicy::budget, .share = 0, .burst = 0}), "");
  EXPECT_EQ(refusal({.write = WritePolicy::seen_twice, .sightings = 0}), "");
  EXPECT_EQ(refusal({.heads = 2}),
            "[config] blocks.0.delta.key: expected a multiple of 16 with several heads, found 5");
  EXPECT_NE(refusal({.taps = 0}).find("delta.taps"), std::string::npos);
  EXPECT_NE(refusal({.rule = WriteRule::least_squares}).find("delta.decay"), std::string::npos);
  EXPECT_NE(refusal({.share = 1.5}).find("delta.share"), std::string::npos);
  EXPECT_NE(refusal({.noise = std::nan("")}).find("delta.noise"), std::string::npos);
  EXPECT_NE(refusal({.burst = 129}).find("delta.burst"), std::string::npos);
  EXPECT_NE(refusal({.sightings = -1}).find("delta.sightings"), std::string::npos);
}

TEST(Delta, InputsThatAreNotFiniteLeaveAFiniteState) {
  for (const BlockKind& kind : memory_kinds()) {
    Stream stream(model_of(one_block(kind)));
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e18F, -1e18F, 0, 1e-38F, 3};
    Random random(4);
    for (int t = 0; t < 300; ++t) {
      stream.advance(std::vector{bad[random.below(8)], bad[random.below(8)], bad[random.below(8)]});
      for (const float y : stream.output()) ASSERT_TRUE(std::isfinite(y)) << t;
    }
    const auto* first = reinterpret_cast<const float*>(stream.state().data() + stream.model().network().layout.dense);
    const auto* last = reinterpret_cast<const float*>(stream.state().data() + stream.state().size());
    for (; first < last; ++first) ASSERT_TRUE(std::isfinite(*first));
  }
}

}  // namespace
}  // namespace elastane
