// Tests of elastane/core/stream/stream.cpp: laws of time, forks, going back, reset.
#include "elastane/core/stream/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "tests/core/models.h"

namespace elastane {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// --- laws of time

class StreamOf : public testing::TestWithParam<BlockKind> {
 protected:
  const Model model = model_of(one_block(GetParam()));
  const Input input{3};
};

std::string kind_name(const testing::TestParamInfo<BlockKind>& test) {
  const auto* s4d = std::get_if<S4dConfig>(&test.param);
  const bool bilinear = s4d != nullptr && s4d->discretisation == Discretisation::bilinear;
  return std::string(block_name({.kind = test.param})) + (bilinear ? "_bilinear" : "");
}

INSTANTIATE_TEST_SUITE_P(Kind, StreamOf, testing::ValuesIn(all_kinds()), kind_name);

TEST_P(StreamOf, OneUnitOfTimeIsTheDefault) {
  Stream plain(model), timed(model);
  for (int t = 0; t < 40; ++t) {
    plain.advance(input(t));
    timed.advance(input(t), 1.0F);
    ASSERT_TRUE(same_bits(plain.output(), timed.output()));
    ASSERT_TRUE(same_state(plain, timed));
  }
  EXPECT_EQ(plain.position(), 40U);
  EXPECT_EQ(plain.time(), 40.0);
}

TEST_P(StreamOf, TimeMattersToEveryBlockWithAState) {
  Stream plain(model), slow(model);
  for (int t = 0; t < 5; ++t) {
    plain.advance(input(t));
    slow.advance(input(t), 2.0F);
  }
  // a recursion in depth keeps only where it starts
  const bool stateless =
      std::holds_alternative<MlpConfig>(GetParam()) || std::holds_alternative<RecursionConfig>(GetParam());
  EXPECT_EQ(same_bits(plain.output(), slow.output()), stateless);
  EXPECT_EQ(slow.position(), 5U);
  EXPECT_EQ(slow.time(), 10.0);
}

TEST_P(StreamOf, ATimeStepThatMakesNoSenseCountsAsOneUnitAndIsReported) {
  for (const float bad : {-1.0F, kNan, -std::numeric_limits<float>::infinity()}) {
    Stream plain(model), odd(model);
    EXPECT_FALSE(plain.advance(input(0)).time_ignored);
    EXPECT_TRUE(odd.advance(input(0), bad).time_ignored) << bad;
    EXPECT_TRUE(same_state(plain, odd)) << bad;
    EXPECT_TRUE(same_bits(plain.output(), odd.output())) << bad;
  }
}

TEST_P(StreamOf, AnAbsenceBeyondTheLongestCountsAsTheLongestAndIsReported) {
  for (const float away : {1.1e6F, 1e18F, std::numeric_limits<float>::infinity()}) {
    Stream longest(model), longer(model);
    EXPECT_FALSE(longest.advance(input(0), kLongestStep).time_ignored);
    EXPECT_TRUE(longer.advance(input(0), away).time_ignored) << away;
    EXPECT_TRUE(same_state(longest, longer)) << away;
  }
}

TEST_P(StreamOf, StateStaysFiniteOverGapsOfAnyLength) {
  Stream stream(model);
  Random random(5);
  for (int t = 0; t < 200; ++t) {
    const auto gap = static_cast<float>(std::exp(random.uniform(-30, 13.8)));  // 1e-13 to 9.8e5
    const AdvanceReport report = stream.advance(input(t), gap);
    ASSERT_FALSE(report.time_ignored);
    for (const float value : dense_of(stream)) ASSERT_TRUE(std::isfinite(value)) << "dt " << gap;
    for (const float value : stream.output()) ASSERT_TRUE(std::isfinite(value)) << "dt " << gap;
  }
}

TEST_P(StreamOf, AnInputBeyondReasonCountsAsMissing) {
  const std::vector<float> good = input(0);
  for (const float bad : {kNan, std::numeric_limits<float>::infinity(), -2e18F}) {
    Stream masked(model), odd(model);
    for (Stream* stream : {&masked, &odd}) stream->advance(good);
    std::vector<float> x = input(1);
    x[1] = bad;
    const AdvanceReport report = odd.advance(x);
    EXPECT_EQ(report.missing, 1);
    EXPECT_EQ(report.not_finite, 1);
    const AdvanceReport expected = masked.advance(x, std::vector<std::uint8_t>{1, 0, 1});
    EXPECT_EQ(expected.missing, 1);
    EXPECT_EQ(expected.not_finite, 0);
    EXPECT_TRUE(same_bits(masked.output(), odd.output())) << bad;
    EXPECT_TRUE(same_state(masked, odd)) << bad;
  }
}

TEST_P(StreamOf, ShortInputsAndMasksAreCompletedNotReadBeyond) {
  Stream whole(model), shorter(model);
  const std::vector<float> x = input(1);
  whole.advance(x, std::vector<std::uint8_t>{1, 1, 0});
  EXPECT_EQ(shorter.advance(std::span(x).first(2)).missing, 1);
  EXPECT_TRUE(same_state(whole, shorter));
  EXPECT_EQ(shorter.advance({}).missing, 3);
  // a channel beyond the mask's end is present
  Stream masked(model);
  EXPECT_EQ(masked.advance(x, std::vector<std::uint8_t>{0}).missing, 1);
}

TEST_P(StreamOf, WhatWasNotFiniteNeverReachesTheState) {
  Stream stream(model);
  Random random(8);
  const std::vector<float> odd = {kNan, std::numeric_limits<float>::infinity(), 1e30F, -1e18F, 1e18F, 0.0F, 1.0F};
  for (int t = 0; t < 300; ++t) {
    std::vector<float> x(3);
    for (float& value : x) value = odd[static_cast<std::size_t>(random.below(static_cast<int>(odd.size())))];
    stream.advance(x);
    for (const float value : dense_of(stream)) ASSERT_TRUE(std::isfinite(value)) << t;
  }
  // and the stream recovers
  for (int t = 0; t < 40; ++t) stream.advance(std::vector<float>{0.1F, 0.2F, 0.3F});
  for (const float value : stream.output()) EXPECT_TRUE(std::isfinite(value));
}

// --- the normaliser, through outputs that stand for an input

TEST(Stream, OneThatWasMovedFromMayBeAssignedTo) {
  const Model model = model_of(tiny_config());
  Stream stream(model), other(model);
  const Input input{3};
  stream.advance(input(0));
  other.advance(input(0));
  const Stream moved = std::move(stream);
  stream = moved;  // NOLINT(bugprone-use-after-move): what the header allows
  stream.advance(input(1));
  other.advance(input(1));
  EXPECT_TRUE(same_bits(stream.output(), other.output()));
}

TEST(StreamNormaliser, GivesOutputsTheRunningLevelAndScaleOfTheirInput) {
  // a head that always answers `answer`, put back on the level and scale of input j: level + scale·answer
  for (const float answer : {0.0F, 1.0F}) {
    ModelConfig config = one_block(GruConfig{});
    config.outputs = 3;
    config.normaliser = {.kind = NormaliserKind::running, .decay = 0.9, .epsilon = 1e-4, .restore = {0, 1, 2}};
    std::vector<Tensor> tensors = tensors_of(config);
    for (Tensor& tensor : tensors) {
      if (tensor.name == "head.0.weight") std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
      if (tensor.name == "head.0.bias") std::fill(tensor.values.begin(), tensor.values.end(), answer);
    }
    Stream stream(Model::create(config, tensors, {.isa = test_isa()}).value());
    std::vector<double> level(3), variance(3), samples(3);
    for (int t = 0; t < 100; ++t) {
      const std::vector<float> x = Input{3}(t);
      stream.advance(x);
      for (std::size_t j = 0; j < 3; ++j) {
        if (std::isfinite(x[j])) {
          const double a = std::max(1 - 0.9, 1 / (samples[j] + 1)), delta = x[j] - level[j];
          level[j] += a * delta;
          variance[j] = (1 - a) * (variance[j] + a * delta * delta);
          samples[j] += 1;
        }
        ASSERT_NEAR(stream.output()[j], level[j] + std::sqrt(variance[j] + 1e-4) * answer, 1e-5)
            << t << ", input " << j;
      }
    }
  }
}

// the first block sees the encoder's output as it is, so a constant input is a constant u
Model held_model(BlockKind kind) { return model_of(one_block(std::move(kind), Norm::none)); }

double largest_difference(std::span<const float> a, std::span<const float> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(static_cast<double>(a[i]) - b[i]));
  return largest;
}

double largest(std::span<const float> a) { return largest_difference(a, std::vector<float>(a.size())); }

TEST(StreamTime, AHeldInputIsExactHoweverTimeIsCut) {
  const std::vector<float> x = {0.5F, -1.0F, 2.0F};
  const std::vector<std::vector<float>> cuts = {
      {2, 2, 2, 2}, {8}, {0.5F, 0.5F, 1, 6}, {1, 1, 1, 1, 1, 1, 1, 1}, {0.125F, 7.875F}, {0, 8, 0}};
  for (const BlockKind& kind : {BlockKind(S4dConfig{.state = 8}), BlockKind(SelectiveConfig{})}) {
    const Model model = held_model(kind);
    Stream steps(model);
    for (int t = 0; t < 8; ++t) steps.advance(x);
    for (const auto& cut : cuts) {
      Stream stream(model);
      for (const float dt : cut) stream.advance(x, dt);
      EXPECT_EQ(stream.time(), 8.0);
      EXPECT_LE(largest_difference(dense_of(stream), dense_of(steps)), 1e-5 * largest(dense_of(steps)));
    }
  }
}

TEST(StreamTime, TwoHalfStepsOfANonlinearBlockAreNotOneStep) {
  for (const BlockKind& kind : {BlockKind(GruConfig{}), BlockKind(LstmConfig{}), BlockKind(MambaConfig{}),
                                BlockKind(S4dConfig{.discretisation = Discretisation::bilinear})}) {
    const Model model = held_model(kind);
    const std::vector<float> x = {0.5F, -1.0F, 2.0F};
    Stream one(model), two(model);
    one.advance(x);
    two.advance(x, 0.5F);
    two.advance(x, 0.5F);
    EXPECT_EQ(one.time(), two.time());
    EXPECT_GT(largest_difference(dense_of(one), dense_of(two)), 1e-6 * largest(dense_of(one)));
  }
}

TEST(StreamTime, GatedCellsDoNotMoveInNoTime) {
  // gru: all of the state is h; lstm: the second half is c, the first is o·tanh(c), which follows the input
  for (const BlockKind& kind : {BlockKind(GruConfig{}), BlockKind(LstmConfig{})}) {
    Stream stream(held_model(kind));
    const Input input{3};
    for (int t = 0; t < 10; ++t) stream.advance(input(t));
    const std::vector<float> before = copy(dense_of(stream));
    const std::size_t from = std::holds_alternative<LstmConfig>(kind) ? before.size() / 2 : 0;
    for (const auto& [dt, most] : {std::pair(0.0F, 2e-7), {1e-6F, 1e-4}}) {
      stream.advance(input(11), dt);
      EXPECT_LE(largest_difference(std::span(before).subspan(from), dense_of(stream).subspan(from)), most) << dt;
    }
  }
}

TEST(StreamTime, MeetsInTheMiddleAsTheStepShrinks) {
  // the change of h is first order in dt
  const Model model = held_model(GruConfig{});
  const Input input{3};
  Stream start(model);
  for (int t = 0; t < 5; ++t) start.advance(input(t));
  const auto change = [&](float dt) {
    Stream stream = start;
    stream.advance(input(6), dt);
    return largest_difference(dense_of(stream), dense_of(start));
  };
  EXPECT_NEAR(change(0.01F) / change(0.005F), 2.0, 0.05);
}

TEST(StreamTime, ASelectiveBlockDoesNotMoveInNoTimeHoweverFastItIs) {
  ModelConfig config = one_block(SelectiveConfig{}, Norm::none);
  std::vector<Tensor> tensors = tensors_of(config);
  for (Tensor& tensor : tensors) {
    if (tensor.name != "blocks.0.selective.log_a") continue;
    tensor.values = {-1e30F, -100, -1, 0, 1, 50, 88, 100, 1e30F, 3e38F};
  }
  Stream stream(Model::create(config, tensors, {.isa = test_isa()}).value());
  const Input input{3};
  for (int t = 0; t < 10; ++t) stream.advance(input(t));
  const std::vector<float> before = copy(dense_of(stream));
  EXPECT_EQ(before[0], 0.0F);  // never moves at all
  EXPECT_NE(before[9], 0.0F);
  stream.advance(input(11), 0.0F);
  EXPECT_TRUE(same_bits(before, dense_of(stream)));
}

// --- the pipeline: forks, going back, reset

class HybridStream : public testing::Test {
 protected:
  // the steps first..last−1 of the endless input, with irregular time
  std::vector<std::vector<float>> run(Stream& stream, int first, int last) const {
    std::vector<std::vector<float>> outputs;
    for (int t = first; t < last; ++t) {
      stream.advance(input(t), 0.5F + static_cast<float>(t % 3));
      outputs.push_back(copy(stream.output()));
    }
    return outputs;
  }

  const Model model = model_of(hybrid_config());
  const Input input{3};
};

TEST_F(HybridStream, BeginsAtZero) {
  const Stream stream(model);
  EXPECT_EQ(stream.position(), 0U);
  EXPECT_EQ(stream.time(), 0.0);
  EXPECT_EQ(stream.rewindable(), 0);
  EXPECT_EQ(copy(stream.output()), std::vector<float>(2));
  EXPECT_EQ(stream.state().size(), model.state_bytes());
}

TEST_F(HybridStream, AForkGoesItsOwnWay) {
  Stream stream(model, {.history = 4}), alone(model, {.history = 4});
  run(stream, 0, 30);
  run(alone, 0, 30);
  Stream fork = stream;
  EXPECT_TRUE(same_state(fork, stream));
  EXPECT_TRUE(same_bits(fork.output(), stream.output()));
  EXPECT_EQ(fork.rewindable(), 4);
  run(fork, 50, 60);  // other inputs
  ASSERT_TRUE(fork.rewind(2));
  EXPECT_TRUE(same_state(stream, alone));
  EXPECT_TRUE(same_bits(stream.output(), alone.output()));
  EXPECT_EQ(run(stream, 30, 50), run(alone, 30, 50));
  ASSERT_TRUE(stream.rewind(4));
  ASSERT_TRUE(alone.rewind(4));
  EXPECT_TRUE(same_state(stream, alone));
}

TEST_F(HybridStream, CopiesAndMovesAlsoOntoAStreamOfAnotherModel) {
  Stream original(model, {.history = 3});
  run(original, 0, 20);
  const Stream kept = original;
  Stream moved = std::move(original);
  EXPECT_TRUE(same_state(moved, kept));
  EXPECT_TRUE(same_bits(moved.output(), kept.output()));

  // each target lets go of the tiny model, the last to hold it
  Stream copied_onto(model_of(tiny_config())), moved_onto(model_of(tiny_config()));
  copied_onto.advance(std::vector<float>{1.0F});
  copied_onto = moved;
  moved_onto = std::move(moved);
  const Stream& itself = moved_onto;
  moved_onto = itself;
  for (Stream* stream : {&copied_onto, &moved_onto}) {
    EXPECT_EQ(stream->model().fingerprint(), model.fingerprint());
    EXPECT_EQ(stream->position(), 20U);
    Stream expected = kept;
    EXPECT_EQ(run(*stream, 20, 40), run(expected, 20, 40));
    ASSERT_TRUE(stream->rewind(3));
    ASSERT_TRUE(expected.rewind(3));
    EXPECT_TRUE(same_state(*stream, expected));
  }
}

TEST_F(HybridStream, OutlivesTheModelThatMadeIt) {
  auto temporary = std::make_unique<Model>(model_of(hybrid_config(), 9));
  Stream stream(*temporary), other(*temporary);
  const auto expected = run(other, 0, 10);
  temporary.reset();
  EXPECT_EQ(run(stream, 0, 10), expected);
}

TEST_F(HybridStream, RewindsAnyNumberOfKeptStepsAndReplaysBitForBit) {
  constexpr int kDepth = 24;
  // totals on both sides of the windows' ends (5 and 16) and of the history's
  for (const int total : {0, 1, 4, 5, 6, 15, 16, 17, 24, 25, 31, 32, 33, 48, 49, 70}) {
    Stream stream(model, {.history = kDepth});
    std::vector<Stream> past;
    std::vector<std::vector<float>> outputs;
    for (int t = 0; t < total; ++t) {
      past.push_back(stream);
      outputs.push_back(run(stream, t, t + 1)[0]);
    }
    past.push_back(stream);
    ASSERT_EQ(stream.rewindable(), std::min(total, kDepth));
    for (int n = 0; n <= std::min(total, kDepth); ++n) {
      Stream back = stream;
      ASSERT_TRUE(back.rewind(n));
      ASSERT_EQ(back.position(), static_cast<std::uint64_t>(total - n));
      ASSERT_EQ(back.rewindable(), std::min(total, kDepth) - n);
      ASSERT_TRUE(same_state(back, past[static_cast<std::size_t>(total - n)])) << n << " of " << total;
      const auto replayed = run(back, total - n, total);
      ASSERT_TRUE(std::equal(replayed.begin(), replayed.end(), outputs.end() - n)) << n << " of " << total;
      ASSERT_TRUE(same_state(back, stream)) << n << " of " << total;
      ASSERT_EQ(back.rewindable(), stream.rewindable());
    }
  }
}

TEST_F(HybridStream, RewindsStepByStepWithOtherStepsBetween) {
  Stream stream(model, {.history = 20}), straight(model);
  run(stream, 0, 40);
  run(straight, 0, 40);
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    // a detour of a few steps, then back to where it began
    const int detour = random.below(8);
    run(stream, 1000 + round, 1000 + round + detour);
    const int first = random.below(detour + 1);
    ASSERT_TRUE(stream.rewind(first));
    ASSERT_TRUE(stream.rewind(detour - first));
    ASSERT_TRUE(same_state(stream, straight)) << round;
    EXPECT_EQ(run(stream, 40 + round, 41 + round), run(straight, 40 + round, 41 + round));
  }
}

TEST_F(HybridStream, RefusesToRewindFurtherThanItRemembers) {
  for (const auto& [history, steps] : {std::pair(0, 5), {3, 2}, {3, 10}}) {
    Stream stream(model, {.history = history});
    run(stream, 0, steps);
    const Stream before = stream;
    const int kept = std::min(history, steps);
    for (const int n : {kept + 1, 1000, -1, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
      const Status refused = stream.rewind(n);
      ASSERT_FALSE(refused) << n;
      EXPECT_NE(refused.error().find("[rewind] expected 0 to " + std::to_string(kept)), std::string::npos)
          << refused.error();
      EXPECT_NE(refused.error().find("found " + std::to_string(n)), std::string::npos) << refused.error();
      EXPECT_TRUE(same_state(stream, before));
      EXPECT_TRUE(same_bits(stream.output(), before.output()));
      EXPECT_EQ(stream.rewindable(), kept);
    }
  }
  EXPECT_EQ(Stream(model, {.history = -3}).rewindable(), 0);
}

TEST_F(HybridStream, ChunksEqualStepsWithAndWithoutHistory) {
  constexpr int kSteps = 75;
  std::vector<float> x;
  for (int t = 0; t < kSteps; ++t) {
    const auto row = input(t);
    x.insert(x.end(), row.begin(), row.end());
  }
  Stream steps(model, {.history = 30});
  std::vector<float> expected;
  AdvanceReport expected_report;
  for (int t = 0; t < kSteps; ++t) {
    expected_report.missing += steps.advance(input(t)).missing;
    expected.insert(expected.end(), steps.output().begin(), steps.output().end());
  }
  for (const int history : {0, 30}) {
    for (const int chunk : {1, 2, 5, 15, 16, 17, 33, kSteps}) {
      Stream chunked(model, {.history = history});
      std::vector<float> y(expected.size());
      int missing = 0;
      for (int t = 0; t < kSteps; t += chunk) {
        const auto rows = static_cast<std::size_t>(std::min(chunk, kSteps - t));
        missing += chunked
                       .advance_chunk(std::span(x).subspan(static_cast<std::size_t>(t) * 3, rows * 3),
                                      std::span(y).subspan(static_cast<std::size_t>(t) * 2, rows * 2))
                       .missing;
      }
      EXPECT_TRUE(same_bits(y, expected)) << "chunks of " << chunk << ", history " << history;
      EXPECT_TRUE(same_state(chunked, steps));
      EXPECT_TRUE(same_bits(chunked.output(), steps.output()));
      EXPECT_EQ(missing, expected_report.missing);
      ASSERT_EQ(chunked.rewindable(), history);
      if (history == 0) continue;
      Stream back = steps;
      ASSERT_TRUE(chunked.rewind(23));
      ASSERT_TRUE(back.rewind(23));
      EXPECT_TRUE(same_state(chunked, back)) << "chunks of " << chunk;
    }
  }
}

TEST_F(HybridStream, AChunkMayDropItsOutputsOrHaveRoomForFew) {
  std::vector<float> x;
  for (int t = 0; t < 20; ++t) {
    const auto row = input(t);
    x.insert(x.end(), row.begin(), row.end());
  }
  Stream whole(model), silent(model), part(model);
  std::vector<float> y(40), few(7, -1.0F);
  whole.advance_chunk(x, y);
  silent.advance_chunk(x);
  part.advance_chunk(x, few);
  EXPECT_TRUE(same_state(whole, silent) && same_state(whole, part));
  EXPECT_TRUE(same_bits(std::span(y).first(6), std::span(few).first(6)));
  EXPECT_EQ(few[6], -1.0F);  // no half rows
  whole.advance_chunk({});
  EXPECT_TRUE(same_state(whole, silent));
}

TEST_F(HybridStream, ResetIsANewStream) {
  Stream used(model, {.history = 8}), fresh(model, {.history = 8});
  run(used, 0, 40);
  used.reset();
  EXPECT_TRUE(same_state(used, fresh));
  EXPECT_EQ(copy(used.output()), std::vector<float>(2));
  EXPECT_EQ(used.rewindable(), 0);
  EXPECT_FALSE(used.rewind(1));
  EXPECT_EQ(run(used, 5, 50), run(fresh, 5, 50));
  ASSERT_TRUE(used.rewind(8));
  ASSERT_TRUE(fresh.rewind(8));
  EXPECT_TRUE(same_state(used, fresh));
}

TEST(LearnedStart, IsWhereEveryStreamBeginsAndResets) {
  ModelConfig config = hybrid_config();
  config.learned_start = true;
  const std::vector<Tensor> tensors = tensors_of(config);
  const Model model = Model::create(config, tensors, {.isa = test_isa()}).value();
  Stream stream(model);
  const Stream fresh = stream;

  // every value of every start is in the state
  std::vector<float> starts, state;
  for (const Tensor& tensor : tensors) {
    if (tensor.name.ends_with(".h0") || tensor.name.ends_with(".c0")) {
      starts.insert(starts.end(), tensor.values.begin(), tensor.values.end());
    }
  }
  for (const float value : dense_of(stream)) {
    if (value != 0) state.push_back(value);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(state.begin(), state.end());
  EXPECT_EQ(starts.size(), 12U * 4 + 24 * 3 + 19 + 5 + 5 + 12 * 2 + 21);
  EXPECT_EQ(state, starts);

  for (int t = 0; t < 20; ++t) stream.advance(Input{3}(t));
  EXPECT_FALSE(same_state(stream, fresh));
  stream.reset();
  EXPECT_TRUE(same_state(stream, fresh));
}

TEST(LearnedStart, ReachesTheRightChannel) {
  // with dt = 0 these blocks, without norm, residual or mix, give back their state
  for (const BlockKind& kind : {BlockKind(GruConfig{}), BlockKind(SelectiveConfig{})}) {
    ModelConfig config = one_block(kind, Norm::none);
    config.learned_start = true;
    config.blocks[0].residual = false;
    config.norm = Norm::none;
    config.outputs = config.width;
    std::vector<Tensor> tensors = tensors_of(config);
    const std::vector<float>* start = nullptr;
    for (Tensor& tensor : tensors) {
      if (tensor.name.ends_with(".h0")) start = &tensor.values;
      if (tensor.name == "head.0.bias") std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
      if (tensor.name != "head.0.weight") continue;
      for (std::size_t i = 0; i < tensor.values.size(); ++i) tensor.values[i] = i % 11 == 0 ? 1.0F : 0.0F;  // identity
    }
    ASSERT_NE(start, nullptr);
    Stream stream(Model::create(config, tensors, {.isa = test_isa()}).value());
    stream.advance(Input{3}(0), 0.0F);
    for (std::size_t i = 0; i < start->size(); ++i) EXPECT_NEAR(stream.output()[i], (*start)[i], 2e-7);
  }
}

TEST(Threads, SharingAModelGiveTheSameResultsAsOne) {
  constexpr int kThreads = 4, kStreams = 3, kSteps = 60;
  const Model model = model_of(hybrid_config());
  const auto work = [&model](int thread) {
    std::vector<float> outputs;
    std::vector<Stream> streams;
    for (int s = 0; s < kStreams; ++s) streams.emplace_back(model, StreamOptions{.history = 2});
    for (int t = 0; t < kSteps; ++t) {
      for (int s = 0; s < kStreams; ++s) {
        Stream& stream = streams[static_cast<std::size_t>(s)];
        stream.advance(Input{3, static_cast<std::uint64_t>(thread * kStreams + s)}(t));
        if (t % 10 == 9) {
          stream.rewind(1).value();
          stream.restore(snapshot_of(stream)).value();
        }
        outputs.insert(outputs.end(), stream.output().begin(), stream.output().end());
      }
    }
    return outputs;
  };
  std::vector<std::vector<float>> together(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = work(i); });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kThreads; ++i) EXPECT_TRUE(same_bits(together[static_cast<std::size_t>(i)], work(i))) << i;
}

}  // namespace
}  // namespace elastane
