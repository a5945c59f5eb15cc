// Tests of elastane/core/latent/stream_corrector.cpp: what a correction does to a stream, whatever the block and the metric.
#include "elastane/core/latent/stream_corrector.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "elastane/core/objective/categorical.h"
#include "elastane/core/objective/weighted_sum.h"
#include "tests/core/corrected.h"
#include "tests/core/gates.h"

namespace elastane {
namespace {

class CorrectedStream : public testing::TestWithParam<CorrectedModel> {
 protected:
  const CorrectedModel& of = GetParam();
  const Model model = of.model();

  Stream stream_with(Metric metric, int history = 0) const {
    return Stream(model, with_metric(metric, of.latent, history));
  }
  Stream stream_with(const CorrectorOptions& corrector, int history = 0) const {
    StreamOptions options = with_metric(Metric::automatic, of.latent, history);
    options.corrector = corrector;
    return Stream(model, options);
  }
  static void live_through(Stream& stream, int first, int last, const Budget& budget = {}) {
    for (int t = first; t < last; ++t) live(stream, t, budget);
  }
};

INSTANTIATE_TEST_SUITE_P(Of, CorrectedStream, testing::ValuesIn(corrected_models()),
                         [](const auto& test) { return test.param.name; });

// metrics with all that may be combined with them
std::vector<CorrectorOptions> many_options(std::span<const Metric> metrics) {
  std::vector<CorrectorOptions> all;
  for (const Metric metric : metrics) {
    CorrectorOptions plain{.metric = {.kind = metric, .rank = 3}};
    CorrectorOptions far = plain;
    far.trust.horizon = 3;
    far.gate.depth = 3;
    far.retraction.kind = metric == Metric::exact ? Retraction::christoffel : Retraction::second_order;
    all.push_back(plain);
    all.push_back(far);
  }
  return all;
}

std::string label_of(const CorrectorOptions& options) {
  return std::string(name(options.metric.kind)) + ", horizon " + std::to_string(options.trust.horizon);
}

// --- laws

TEST_P(CorrectedStream, LowersTheLossAndAnswersWithTheOutputOfTheStateItCommits) {
  for (const CorrectorOptions& options : many_options(of.metrics())) {
    SCOPED_TRACE(label_of(options));
    Stream stream = stream_with(options);
    int accepted = 0;
    for (int t = 0; t < 25; ++t) {
      const Given given(model, t);
      const Gaussian objective = given.gaussian();
      stream.advance(given.x, given.present, given.dt);
      const std::vector<float> before = copy(stream.output());
      const std::vector<std::byte> state = copy(network_part(stream));
      const StepReport report = stream.correct(objective);
      ASSERT_TRUE(is_sound(stream));
      if (report.accepted == 0) {
        ASSERT_TRUE(same_bytes(network_part(stream), state)) << t;
        ASSERT_TRUE(same_bits(stream.output(), before)) << t;
        ASSERT_EQ(report.loss_after, report.loss_before);
        continue;
      }
      ++accepted;
      // as printed, the paper's step may raise the loss of this very step
      const bool literal = options.metric.kind == Metric::literal && options.trust.horizon > 1;
      if (!literal) {
        ASSERT_LE(report.loss_after, report.loss_before) << t;
      }
      ASSERT_LT(report.horizon_after, report.horizon_before) << t;
      ASSERT_NEAR(objective.value(as_doubles(before)), report.loss_before, 1e-4 * (1 + report.loss_before));
      ASSERT_NEAR(objective.value(as_doubles(stream.output())), report.loss_after, 1e-4 * (1 + report.loss_after));
      if (!stream.persistent().empty()) continue;
      BoundStack<float> bound(stream, {.top_block_only = of.latent.top_block_only}, given.dt);
      const Vector y = bound.output(bound.latents());
      for (std::size_t j = 0; j < y.size(); ++j) ASSERT_EQ(static_cast<float>(y[j]), stream.output()[j]) << t;
    }
    EXPECT_GE(accepted, 5);
  }
}

TEST_P(CorrectedStream, ContinuesFromACorrectedStateAsTheRollFromThere) {
  if (of.latent.persistent.coordinates.output_bias) GTEST_SKIP() << "coordinates that last have a say in the step";
  ModelConfig config = of.config;
  config.normaliser = {};  // a running one would see the held input as a new one
  const Model plain = CorrectedModel{of.name, config}.model();
  for (const Metric metric : of.metrics()) {
    SCOPED_TRACE(name(metric));
    Stream stream(plain, with_metric(metric, of.latent));
    int accepted = 0;
    for (int t = 0; t < 20; ++t) {
      const std::vector<float> x = whole_input(plain.inputs(), t);
      const Given given(plain, t);
      stream.advance(x, given.dt);
      accepted += stream.correct(given.gaussian()).accepted;
      BoundStack<float> bound(stream, {.top_block_only = of.latent.top_block_only, .max_horizon = 1}, given.dt);
      const Vector ahead = bound.roll(bound.latents(), 1);
      Stream next = stream;
      next.advance(x, given.dt);
      for (std::size_t j = 0; j < ahead.size(); ++j) {
        ASSERT_NEAR(next.output()[j], ahead[j], 5e-5 * (1 + std::fabs(ahead[j]))) << t;
      }
    }
    EXPECT_GE(accepted, 5);
  }
}

// --- the pipeline

TEST_P(CorrectedStream, AStepIsAnAdvanceAndACorrection) {
  for (const CorrectorOptions& options : many_options(of.metrics())) {
    SCOPED_TRACE(label_of(options));
    Stream steps = stream_with(options, 2), verbs = stream_with(options, 2);
    for (int t = 0; t < 12; ++t) {
      const Given given(model, t);
      const StepReport step = steps.step(given.x, given.gaussian());
      const std::int64_t advanced = verbs.advance(given.x).macs;
      const StepReport corrected = verbs.correct(given.gaussian());
      ASSERT_TRUE(same_stream(steps, verbs)) << t;
      EXPECT_EQ(step.stop, corrected.stop);
      EXPECT_EQ(step.loss_after, corrected.loss_after);
      EXPECT_EQ(step.total_macs(), corrected.total_macs() + advanced);
    }
  }
}

TEST_P(CorrectedStream, AnticipatingChangesNothingButWhatIsLeftToDo) {
  for (const CorrectorOptions& options : many_options(of.metrics())) {
    SCOPED_TRACE(label_of(options));
    Stream anticipated = stream_with(options), plain = stream_with(options);
    for (int t = 0; t < 25; ++t) {
      const Given given(model, t);
      for (Stream* stream : {&anticipated, &plain}) stream->advance(given.x, given.present, given.dt);
      for (int i = 0; i < t % 3; ++i) anticipated.anticipate();
      ASSERT_TRUE(same_stream(anticipated, plain)) << t;
      const StepReport less = anticipated.correct(given.gaussian()), all = plain.correct(given.gaussian());
      ASSERT_TRUE(same_stream(anticipated, plain)) << t;
      EXPECT_EQ(less.stop, all.stop);
      EXPECT_LE(less.total_macs(), all.total_macs());
    }
  }
}

TEST_P(CorrectedStream, WhatWasAnticipatedIsForgottenWithTheStepItWasFor) {
  for (const Metric metric : of.metrics()) {
    SCOPED_TRACE(name(metric));
    Stream stream = stream_with(metric, 4), plain = stream_with(metric, 4);
    live_through(stream, 0, 6);
    live_through(plain, 0, 6);
    const Given given(model, 6), other(model, 50);
    // another step, a rewind, a correction, a restored state
    stream.anticipate();
    stream.advance(other.x, 3.0F);
    stream.anticipate();
    ASSERT_TRUE(stream.rewind(1));
    stream.advance(given.x);
    plain.advance(given.x);
    ASSERT_EQ(stream.correct(given.gaussian()).accepted, plain.correct(given.gaussian()).accepted);
    ASSERT_TRUE(same_stream(stream, plain));
    stream.anticipate();
    stream.correct(other.gaussian());
    plain.correct(other.gaussian());
    stream.correct(given.gaussian());
    plain.correct(given.gaussian());
    ASSERT_TRUE(same_stream(stream, plain));
    Stream elsewhere = stream_with(metric, 4);
    live_through(elsewhere, 0, 3);
    elsewhere.advance(other.x);
    elsewhere.anticipate();
    ASSERT_TRUE(elsewhere.restore(snapshot_of(stream)));
    elsewhere.correct(other.gaussian());
    plain.correct(other.gaussian());
    ASSERT_TRUE(same_stream(elsewhere, plain));
  }
}

TEST_P(CorrectedStream, TheSameInputsAndLabelsGiveTheSameBits) {
  for (const CorrectorOptions& options : many_options(of.metrics())) {
    SCOPED_TRACE(label_of(options));
    Stream one = stream_with(options), other = stream_with(options);
    const auto reports_of = [&](Stream& stream, const Budget& budget) {
      std::vector<std::pair<Stop, double>> reports;
      for (int t = 0; t < 25; ++t) {
        const StepReport report = live(stream, t, budget);
        reports.emplace_back(report.stop, report.loss_after);
      }
      return reports;
    };
    EXPECT_EQ(reports_of(one, {}), reports_of(other, {}));
    EXPECT_TRUE(same_stream(one, other));
    // as well under a budget that is counted, and after a reset
    one.reset();
    const auto cost = static_cast<double>(one.micro_step_macs());
    Stream fresh = stream_with(options);
    EXPECT_EQ(reports_of(one, Budget::macs(1.5 * cost)), reports_of(fresh, Budget::macs(1.5 * cost)));
    EXPECT_TRUE(same_stream(one, fresh));
  }
}

TEST_P(CorrectedStream, ACopyGoesItsOwnWayFromAnyMoment) {
  for (const CorrectorOptions& options : many_options(of.metrics())) {
    SCOPED_TRACE(label_of(options));
    const auto cost = static_cast<double>(stream_with(options).micro_step_macs());
    for (const bool anticipated : {false, true}) {
      auto original = std::make_unique<Stream>(stream_with(options, 3));
      Stream alone = stream_with(options, 3), assigned = stream_with(Metric::euclidean);
      live_through(*original, 0, 9);
      live_through(alone, 0, 9);
      const Given given(model, 9), other(model, 70);
      for (Stream* stream : {original.get(), &alone}) {
        stream->advance(given.x, given.dt);
        if (anticipated) stream->anticipate();
      }
      Stream fork = *original;
      assigned = *original;
      fork.correct(other.gaussian());  // must not reach the original
      live_through(fork, 80, 83);
      ASSERT_TRUE(same_stream(*original, alone));
      Stream moved = std::move(*original);
      original.reset();
      Stream again = assigned;
      // under a counted budget, what was anticipated counts too
      for (Stream* stream : {&moved, &assigned, &again}) {
        Stream expected = alone;
        ASSERT_EQ(stream->correct(given.gaussian(), Budget::macs(cost)).depth,
                  expected.correct(given.gaussian(), Budget::macs(cost)).depth);
        ASSERT_TRUE(same_stream(*stream, expected));
        live_through(*stream, 10, 14);
        live_through(expected, 10, 14);
        ASSERT_TRUE(same_stream(*stream, expected));
        ASSERT_TRUE(stream->rewind(2) && expected.rewind(2));
        ASSERT_TRUE(same_state(*stream, expected));
      }
    }
  }
}

TEST_P(CorrectedStream, RestoredContinuesAsIfItHadNeverStopped) {
  for (const CorrectorOptions& options : many_options(of.metrics())) {
    SCOPED_TRACE(label_of(options));
    Stream straight = stream_with(options);
    for (int position = 0; position <= 20; position += 4) {
      Stream other = stream_with(options);
      live_through(other, 100, 100 + position % 9);
      const std::vector<std::byte> bytes = snapshot_of(straight);
      ASSERT_TRUE(other.restore(bytes)) << position;
      ASSERT_TRUE(same_stream(other, straight)) << position;
      Stream expected = straight;
      // a correction of the step before the snapshot, then steps
      const Given given(model, position);
      EXPECT_EQ(other.correct(given.gaussian()).stop, expected.correct(given.gaussian()).stop);
      ASSERT_TRUE(same_stream(other, expected)) << position;
      live_through(other, position, position + 6);
      live_through(expected, position, position + 6);
      ASSERT_TRUE(same_stream(other, expected)) << position;
      live_through(straight, position, position + 4);
    }
  }
}

TEST_P(CorrectedStream, GoesBackWithAllThatTheCorrectorHadLearned) {
  for (const CorrectorOptions& options : many_options(of.metrics())) {
    SCOPED_TRACE(label_of(options));
    constexpr int kDepth = 6, kLast = 15;
    Stream stream = stream_with(options, kDepth);
    std::vector<Stream> past;
    for (int t = 0; t < kLast; ++t) {
      past.push_back(stream);
      live(stream, t);
    }
    for (int n = 0; n <= kDepth; ++n) {
      Stream back = stream;
      ASSERT_TRUE(back.rewind(n));
      if (n > 0) {
        ASSERT_TRUE(same_state(back, past[static_cast<std::size_t>(kLast - n)])) << n;
      }
      live_through(back, kLast - n, kLast);
      ASSERT_TRUE(same_stream(back, stream)) << n;
    }
  }
}

TEST_P(CorrectedStream, CorrectsTheLastRowOfAChunkAsItWouldAfterSingleSteps) {
  for (const int history : {0, 3}) {
    for (const Metric metric : of.metrics()) {
      SCOPED_TRACE(name(metric));
      Stream chunked = stream_with(metric, history), stepped = stream_with(metric, history);
      for (int round = 0; round < 4; ++round) {
        const int rows = 5 + 16 * round;
        std::vector<float> x;
        for (int t = 0; t < rows; ++t) {
          const std::vector<float> row = Input{model.inputs()}(100 * round + t);
          stepped.advance(row);
          x.insert(x.end(), row.begin(), row.end());
        }
        chunked.advance_chunk(x);
        ASSERT_TRUE(same_stream(chunked, stepped)) << round;
        const Given given(model, round);
        if (round % 2 == 0) chunked.anticipate();
        chunked.correct(given.gaussian());
        stepped.correct(given.gaussian());
        ASSERT_TRUE(same_stream(chunked, stepped)) << round;
      }
    }
  }
}

TEST_P(CorrectedStream, ResetIsANewStream) {
  for (const Metric metric : of.metrics()) {
    Stream used = stream_with(metric, 3);
    const Stream fresh = stream_with(metric, 3);
    live_through(used, 0, 12);
    used.anticipate();
    used.reset();
    EXPECT_TRUE(same_stream(used, fresh)) << name(metric);
    EXPECT_EQ(used.correct(Given(model, 0).gaussian()).stop, Stop::no_such_step);
    Stream expected = fresh;
    live_through(used, 3, 9);
    live_through(expected, 3, 9);
    EXPECT_TRUE(same_stream(used, expected)) << name(metric);
  }
}

TEST_P(CorrectedStream, HasNothingToCorrectBeforeItsFirstStep) {
  for (const int history : {0, 4}) {
    for (const Metric metric : of.metrics()) {
      Stream stream = stream_with(metric, history);
      const Stream fresh = stream_with(metric, history);
      const Given given(model, 0);
      stream.anticipate();
      EXPECT_EQ(stream.correct(given.gaussian()).stop, Stop::no_such_step);
      EXPECT_EQ(stream.observe(given.label).stop, Stop::no_such_step);
      EXPECT_EQ(stream.observe(given.label, 1).stop, Stop::no_such_step);
      EXPECT_TRUE(same_stream(stream, fresh)) << name(metric);
      // also where it has come back to that
      live(stream, 0);
      if (history == 0) continue;
      ASSERT_TRUE(stream.rewind(1));
      EXPECT_EQ(stream.correct(given.gaussian()).stop, Stop::no_such_step);
      EXPECT_TRUE(same_state(stream, fresh)) << name(metric);
    }
  }
}

TEST_P(CorrectedStream, ARefusedCorrectionLeavesStateAndOutputBitForBit) {
  for (const CorrectorOptions& options : many_options(of.metrics())) {
    SCOPED_TRACE(label_of(options));
    Stream stream = stream_with(options);
    live_through(stream, 0, 8);
    double radius = 0;
    for (int t = 8; t < 40; ++t) {
      const Given given(model, t);
      const Gaussian gaussian = given.gaussian();
      stream.advance(given.x, given.present, given.dt);
      const std::vector<std::byte> state = copy(network_part(stream));
      const std::vector<float> output = copy(stream.output());
      const StepReport report = stream.correct(Spoilt(gaussian, Spoilt::Part::trial, 1e9));
      ASSERT_EQ(report.accepted, 0) << name(report.stop);
      ASSERT_TRUE(same_bytes(network_part(stream), state));
      ASSERT_TRUE(same_bits(stream.output(), output));
      if (report.stop == Stop::rejected) radius = report.radius;
    }
    EXPECT_LT(radius, options.trust.radius);
    EXPECT_GE(radius, options.trust.smallest);
    // and it is not discouraged for ever
    int accepted = 0;
    for (int t = 40; t < 60; ++t) accepted += live(stream, t).accepted;
    EXPECT_GE(accepted, 5);
  }
}

// --- other objectives

TEST(CorrectedOutputs, FollowClassesAndSumsAsWell) {
  const Model model = model_of(hybrid_config());
  for (const CorrectorOptions& options : many_options(kStreamMetrics)) {
    SCOPED_TRACE(label_of(options));
    StreamOptions stream_options;
    stream_options.corrector = options;
    Stream stream(model, stream_options);
    int accepted = 0;
    for (int t = 0; t < 20; ++t) {
      const Given given(model, t);
      const Gaussian gaussian = given.gaussian();
      const Categorical categorical({.label = t % 2, .classes = 2});
      const WeightedSum sum({{0.3, &gaussian}, {2.0, &categorical}});
      stream.advance(given.x, given.dt);
      const StepReport report = t % 2 == 0 ? stream.correct(sum) : stream.correct(categorical);
      accepted += report.accepted;
      ASSERT_LE(report.horizon_after, report.horizon_before);
      ASSERT_TRUE(is_sound(stream));
    }
    EXPECT_GE(accepted, 3);
  }
}

// --- snapshots of other streams

TEST(CorrectedSnapshot, OfOtherOptionsIsRefusedWithTheReason) {
  const Model model = model_of(hybrid_config());
  const auto sketch = [](int rank) {
    StreamOptions options = with_metric(Metric::sketch);
    options.corrector->metric.rank = rank;
    return options;
  };
  StreamOptions top = sketch(4), lasting = sketch(4);
  top.latent.top_block_only = true;
  lasting.latent.persistent.coordinates.output_bias = true;
  const std::vector<StreamOptions> others = {{}, with_metric(Metric::kalman), sketch(5), top, lasting};
  Stream stream(model, sketch(4));
  for (int t = 0; t < 5; ++t) live(stream, t);
  for (const StreamOptions& options : others) {
    Stream other(model, options);
    for (int t = 0; t < 3; ++t) live(other, t);
    for (const auto& [from, to] : {std::pair(&stream, &other), std::pair(&other, &stream)}) {
      const Stream before = *to;
      const Status refused = to->restore(snapshot_of(*from));
      ASSERT_FALSE(refused);
      EXPECT_NE(refused.error().find("other options of the corrector"), std::string::npos) << refused.error();
      EXPECT_TRUE(same_stream(*to, before));
    }
  }
}

TEST(CorrectedSnapshot, MayBeContinuedWithAnotherTrustAndGate) {
  const Model model = model_of(one_block(GruConfig{}));
  StreamOptions wide = with_metric(Metric::exact), narrow = wide;
  wide.corrector->trust = {.radius = 100, .largest = 1e6};
  narrow.corrector->trust = {.radius = 0.1, .largest = 0.2};
  narrow.corrector->gate.depth = 2;
  Stream from(model, wide), to(model, narrow);
  for (int t = 0; t < 5; ++t) live(from, t);
  ASSERT_TRUE(to.restore(snapshot_of(from)));
  for (int t = 5; t < 10; ++t) {
    const Given given(model, t);
    const StepReport report = to.step(given.x, given.gaussian());
    EXPECT_LE(report.radius, 0.2);
    EXPECT_LE(report.length, 0.2 * (1 + 1e-9));
  }
}

// --- options

std::string error_of(const StreamOptions& options, const ModelConfig& config = one_block(GruConfig{})) {
  const Model model = model_of(config);
  const auto stream = Stream::create(model, options);
  EXPECT_EQ(static_cast<bool>(stream), static_cast<bool>(validate(options, model)));
  if (!stream) {
    EXPECT_THROW(Stream(model, options), std::exception);
  }
  return stream ? "" : stream.error();
}

template <class Change>
std::string error_with(Change change) {
  StreamOptions options = with_metric(Metric::exact);
  change(options, *options.corrector);
  return error_of(options);
}

TEST(CorrectedOptions, ThatMakeNoSenseAreRefusedByName) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = HUGE_VAL;
  using Options = CorrectorOptions;
  const auto expect_error = [](const std::string& error, const std::string& part) {
    EXPECT_NE(error.find(part), std::string::npos) << "expected " << part << ", found " << error;
  };
  EXPECT_EQ(error_with([](StreamOptions&, Options&) {}), "");
  EXPECT_EQ(error_of({}), "");
  for (const BlockKind& kind : {BlockKind(AttentionConfig{.heads = 5}), BlockKind(MlpConfig{})}) {
    expect_error(error_of(with_metric(Metric::exact), one_block(kind)), "no recurrent block");
    EXPECT_EQ(error_of({}, one_block(kind)), "");
  }
  for (const std::vector<float>& noise :
       {std::vector<float>{1, 2, 3}, {0.0F}, {-1.0F}, {std::nanf("")}, {1.0F, HUGE_VALF}}) {
    expect_error(error_with([&](StreamOptions& o, Options&) { o.noise = noise; }), "[stream] noise: expected");
  }
  EXPECT_EQ(error_with([](StreamOptions& o, Options&) { o.noise = {1, 2}; }), "");
  expect_error(error_with([](StreamOptions&, Options& o) { o.metric.kind = Metric::native; }), "metric: native");
  expect_error(error_with([](StreamOptions&, Options& o) { o.metric.kind = Metric::learned; }), "metric: learned");

  const auto expect_refused = [&](const std::string& field, const std::vector<double>& values, auto set) {
    for (const double value : values) {
      expect_error(error_with([&](StreamOptions&, Options& o) { set(o, value); }), "[corrector] " + field);
    }
  };
  expect_refused("metric.damping", {0, -1, kNan, kInfinity}, [](Options& o, double v) { o.metric.damping = v; });
  expect_refused("metric.rank", {0, -1, 33}, [](Options& o, double v) { o.metric.rank = static_cast<int>(v); });
  expect_refused("metric.memory", {1, 2, kNan, kInfinity}, [](Options& o, double v) { o.metric.memory = v; });
  expect_refused("metric.condition_limit", {1, 0, -1, kNan, kInfinity},
                 [](Options& o, double v) { o.metric.condition_limit = v; });
  expect_refused("metric.products", {0, 1001}, [](Options& o, double v) { o.metric.products = static_cast<int>(v); });
  expect_refused("metric.warm_up", {0, -5}, [](Options& o, double v) { o.metric.warm_up = static_cast<int>(v); });
  expect_refused("metric.process_noise", {-1, kNan, kInfinity},
                 [](Options& o, double v) { o.metric.process_noise = v; });
  expect_refused("metric.prior_variance", {0, -1, kNan, kInfinity},
                 [](Options& o, double v) { o.metric.prior_variance = v; });
  expect_refused("trust.radius", {0, 1e-4, 9, kNan, kInfinity}, [](Options& o, double v) { o.trust.radius = v; });
  expect_refused("trust.radius", {0.1, kNan, kInfinity}, [](Options& o, double v) { o.trust.largest = v; });
  expect_refused("trust.radius", {0, 1, -1, kNan}, [](Options& o, double v) { o.trust.smallest = v; });
  expect_refused("trust.shrink", {0, 1.5, kNan}, [](Options& o, double v) { o.trust.shrink = v; });
  expect_refused("trust.grow", {0.5, kNan}, [](Options& o, double v) { o.trust.grow = v; });
  expect_refused("trust.low", {0, 0.9, kNan}, [](Options& o, double v) { o.trust.low = v; });
  expect_refused("trust.trials", {0, 17}, [](Options& o, double v) { o.trust.trials = static_cast<int>(v); });
  expect_refused("trust.horizon", {0, 65}, [](Options& o, double v) { o.trust.horizon = static_cast<int>(v); });
  expect_refused("trust.discount", {0, 1.1, kNan}, [](Options& o, double v) { o.trust.discount = v; });
  expect_refused("retraction.ball_radius", {0, -1, kNan}, [](Options& o, double v) { o.retraction.ball_radius = v; });
  expect_refused("gate.depth", {-1, 1001}, [](Options& o, double v) { o.gate.depth = static_cast<int>(v); });
  expect_refused("gate.price", {-1, kNan}, [](Options& o, double v) { o.gate.price = v; });
  expect_refused("trust.step", {0, 2.5, kNan}, [](Options& o, double v) { o.trust.step = v; });
  expect_refused("retraction.drift", {-0.1, 1, kNan}, [](Options& o, double v) { o.retraction.drift = v; });
  expect_refused("retraction.drift", {0.1},
                 [](Options& o, double v) { o.retraction = {.kind = Retraction::second_order, .drift = v}; });

  const auto gated = [&](const LearnedGate& gate) {
    return error_with([&](StreamOptions& o, Options& corrector) {
      corrector.gate.kind = Gate::learned;
      o.gate = gate;
    });
  };
  EXPECT_EQ(gated(random_gate(1)), "");
  expect_error(gated({}), "[stream] gate: expected a learned gate, found none");
  expect_error(gated(random_gate(1, {.features = 9})), "[stream] gate: expected one of 7 features, found 9");
  LearnedGate damaged = random_gate(1);
  damaged.network.score_weight.pop_back();
  expect_error(gated(damaged), "[gate] score.weight");

  const auto lasting = [&](auto set, double value) {
    return error_with([&](StreamOptions& o, Options&) { set(o.latent.persistent, value); });
  };
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) {
    expect_error(lasting([](PersistentOptions& o, double v) { o.variance = v; }, bad), "[stream] persistent");
    expect_error(lasting([](PersistentOptions& o, double v) { o.latent_variance = v; }, bad), "[stream] persistent");
    expect_error(lasting([](PersistentOptions& o, double v) { o.leak = v; }, bad), "[stream] persistent.leak");
  }
  for (const double bad : {-1.0, kNan, kInfinity}) {
    expect_error(lasting([](PersistentOptions& o, double v) { o.noise = v; }, bad), "[stream] persistent");
  }
}

TEST(CorrectedOptions, WithoutACorrectorThereIsNoCorrection) {
  const Model model = model_of(hybrid_config());
  for (const int history : {0, 3}) {
    Stream stream(model, {.history = history}), plain(model);
    for (int t = 0; t < 10; ++t) {
      const Given given(model, t);
      plain.advance(given.x);
      EXPECT_EQ(stream.step(given.x, given.gaussian()).stop, Stop::no_corrector);
      stream.anticipate();
      EXPECT_EQ(stream.correct(given.gaussian()).stop, Stop::no_corrector);
      EXPECT_EQ(stream.observe(given.label).stop, Stop::no_corrector);
      ASSERT_TRUE(same_stream(stream, plain));
    }
    EXPECT_EQ(stream.metric(), Metric::automatic);
    EXPECT_EQ(stream.overruns(), 0U);
    EXPECT_TRUE(stream.persistent().empty());
  }
}

TEST(CorrectedOptions, OnlyTheTopBlocksStateMovesIfAskedFor) {
  const Model model = model_of(hybrid_config());
  Stream stream(model, with_metric(Metric::exact, {.top_block_only = true})), frozen(model);
  for (int t = 0; t < 20; ++t) {
    const Given given(model, t);
    stream.advance(given.x);
    Stream before = stream;
    if (stream.correct(given.gaussian()).accepted == 0) continue;
    // of the dense part, only the 21 values of the last block with latents differ; the recursion above it has none
    const auto then = dense_of(before), now = dense_of(stream);
    std::size_t first = 0;
    while (first < now.size() && then[first] == now[first]) ++first;
    EXPECT_GE(first + static_cast<std::size_t>(padded(21) + padded(5)), now.size());
  }
}

TEST(CorrectedOptions, ALearnedGateGrantsWhatAStreamThenTakes) {
  const Model model = model_of(hybrid_config());
  for (const GateInput sees : {GateInput::loss, GateInput::solve}) {
    StreamOptions options = with_metric(Metric::exact);
    options.corrector->gate.kind = Gate::learned;
    options.gate = random_gate(6, {.sees = sees});
    Stream stream(model, options);
    std::vector<int> depths(4);
    for (int t = 0; t < 200; ++t) {
      const Given given(model, t);
      const StepReport report = stream.step(given.x, given.gaussian());
      EXPECT_LE(report.depth, report.granted);
      EXPECT_EQ(report.granted == 0, report.stop == Stop::gate) << name(report.stop);
      EXPECT_GT(report.macs[static_cast<int>(Stage::gate)], 0);
      ++depths[static_cast<std::size_t>(report.granted)];
    }
    EXPECT_GT(std::count_if(depths.begin(), depths.end(), [](int n) { return n > 0; }), 1);
    // memory of the gate is part of the state
    std::vector<std::byte> bytes(stream.snapshot_bytes());
    ASSERT_TRUE(stream.snapshot(bytes));
    Stream other(model, options);
    ASSERT_TRUE(other.restore(bytes));
    for (int t = 0; t < 20; ++t) {
      const Given given(model, 300 + t);
      EXPECT_EQ(stream.step(given.x, given.gaussian()).granted, other.step(given.x, given.gaussian()).granted);
      ASSERT_TRUE(same_bytes(stream.state(), other.state()));
    }
    options.corrector->gate.kind = Gate::always;
    EXPECT_FALSE(Stream(model, options).restore(bytes));
  }
}

TEST(CorrectedOptions, AGateThatIsShutIsAFrozenModel) {
  const Model model = model_of(hybrid_config());
  for (const GateOptions& gate : {GateOptions{.kind = Gate::never}, GateOptions{.kind = Gate::always, .depth = 0},
                                  GateOptions{.kind = Gate::gain, .price = HUGE_VAL}}) {
    for (const Metric metric : kStreamMetrics) {
      StreamOptions options = with_metric(metric);
      options.corrector->gate = gate;
      Stream stream(model, options), frozen(model);
      for (int t = 0; t < 10; ++t) {
        const Given given(model, t);
        frozen.advance(given.x);
        const StepReport report = stream.step(given.x, given.gaussian());
        EXPECT_EQ(report.accepted, 0);
        EXPECT_GT(report.loss_before, 0);
        ASSERT_TRUE(same_bytes(network_part(stream), frozen.state()));
        ASSERT_TRUE(same_bits(stream.output(), frozen.output()));
      }
    }
  }
}

}  // namespace
}  // namespace elastane
