// Tests of elastane/core/stream/late_labels.cpp: labels in time, out of order, in parts, and those that cannot be worked in.
#include "elastane/core/stream/late_labels.h"

#include <gtest/gtest.h>

#include "tests/core/corrected.h"

namespace elastane {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int kHistory = 9;

class LateLabelsOf : public testing::TestWithParam<CorrectedModel> {
 protected:
  const CorrectedModel& of = GetParam();
  const Model model = of.model();

  Stream stream_with(Metric metric, int history = kHistory, int depth = 1) const {
    StreamOptions options = with_metric(metric, of.latent, history);
    options.corrector->gate.depth = depth;
    return Stream(model, options);
  }
  // gaps, irregular time, now and then anticipated
  void take_step(Stream& stream, int t) const {
    const Given given(model, t);
    stream.advance(given.x, given.present, given.dt);
    if (t % 3 == 1) stream.anticipate();
  }
};

INSTANTIATE_TEST_SUITE_P(Of, LateLabelsOf, testing::ValuesIn(corrected_models()),
                         [](const auto& test) { return test.param.name; });

TEST_P(LateLabelsOf, InTimeIsACorrectionTowardsTheSameGaussian) {
  for (const int history : {0, kHistory}) {
    for (const Metric metric : of.metrics()) {
      SCOPED_TRACE(name(metric));
      Stream observed = stream_with(metric, history), corrected = stream_with(metric, history);
      for (int t = 0; t < 20; ++t) {
        take_step(observed, t);
        take_step(corrected, t);
        const Given given(model, t);
        const StepReport a = t % 2 == 0 ? observed.observe(given.label) : observed.observe(given.label, t + 1U);
        const StepReport b = corrected.correct(given.gaussian(0.3F));
        ASSERT_TRUE(same_stream(observed, corrected)) << t;
        EXPECT_EQ(a.stop, b.stop);
        EXPECT_EQ(a.loss_after, b.loss_after);
      }
    }
  }
}

// what is known of one step's output, to be observed at once or in several pieces
struct Piece {
  int step;   // it belongs to, from 0
  int comes;  // after this step
  std::vector<float> label;
};

// every label in one or two pieces, each up to `delay` steps late; those of the last steps come at the end
std::vector<Piece> pieces(const Model& model, int steps, int delay, Random& random) {
  std::vector<Piece> all;
  for (int t = 0; t < steps; ++t) {
    if (random.below(4) == 0) continue;
    Piece whole{t, 0, Given(model, t).label}, rest = whole;
    const bool split = random.below(2) == 0;
    for (std::size_t i = 0; i < whole.label.size() && split; ++i) {
      (i % 2 == 0 ? rest : whole).label[i] = kNan;
    }
    for (Piece* piece : {&whole, &rest}) piece->comes = std::min(t + random.below(delay + 1), steps - 1);
    all.push_back(whole);
    if (split) all.push_back(rest);
  }
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(static_cast<int>(i))]);
  return all;
}

// what is known of step t after step `now`
std::vector<float> merged(const std::vector<Piece>& all, int t, int now, int outputs) {
  std::vector<float> label(static_cast<std::size_t>(outputs), kNan);
  for (const Piece& piece : all) {
    for (std::size_t i = 0; piece.step == t && piece.comes <= now && i < label.size(); ++i) {
      if (std::isfinite(piece.label[i])) label[i] = piece.label[i];
    }
  }
  return label;
}

TEST_P(LateLabelsOf, LateAndInPiecesEqualsInTimeAndWholeBitForBit) {
  constexpr int kSteps = 26;
  Random random(11);
  for (const Metric metric : of.metrics()) {
    SCOPED_TRACE(name(metric));
    const auto cost = static_cast<double>(stream_with(metric).micro_step_macs());
    for (const Budget& budget : {Budget::none(), Budget::macs(1.9 * cost)}) {
      for (const int delay : {1, 4, kHistory - 1}) {
        const std::vector<Piece> all = pieces(model, kSteps, delay, random);
        Stream late = stream_with(metric, kHistory, 2);
        for (int t = 0; t < kSteps; ++t) {
          take_step(late, t);
          for (const Piece& piece : all) {
            if (piece.comes != t) continue;
            const StepReport report = late.observe(piece.label, piece.step + 1U, budget);
            ASSERT_NE(report.stop, Stop::too_late);
            ASSERT_NE(report.stop, Stop::not_replayable);
          }
        }
        for (const int history : {0, kHistory}) {
          Stream in_time = stream_with(metric, history, 2);
          for (int t = 0; t < kSteps; ++t) {
            take_step(in_time, t);
            const std::vector<float> label = merged(all, t, kSteps, model.outputs());
            if (std::any_of(all.begin(), all.end(), [&](const Piece& piece) { return piece.step == t; })) {
              in_time.observe(label, budget);
            }
          }
          ASSERT_TRUE(same_stream(late, in_time)) << "delays up to " << delay << ", history " << history;
        }
        EXPECT_EQ(late.position(), static_cast<std::uint64_t>(kSteps));
      }
    }
  }
}

TEST_P(LateLabelsOf, AtAnyMomentOnlyWhatIsKnownByThenCounts) {
  constexpr int kSteps = 14;
  Random random(3);
  const std::vector<Piece> all = pieces(model, kSteps, 5, random);
  Stream late = stream_with(Metric::exact);
  for (int now = 0; now < kSteps; ++now) {
    take_step(late, now);
    for (const Piece& piece : all) {
      if (piece.comes == now) late.observe(piece.label, piece.step + 1U);
    }
    Stream known = stream_with(Metric::exact, 0);
    for (int t = 0; t <= now; ++t) {
      take_step(known, t);
      known.observe(merged(all, t, now, model.outputs()));
    }
    ASSERT_TRUE(same_stream(late, known)) << now;
  }
}

TEST_P(LateLabelsOf, ThatCannotBeWorkedInChangeNothingAndSayWhy) {
  for (const Metric metric : of.metrics()) {
    SCOPED_TRACE(name(metric));
    Stream stream = stream_with(metric, 4);
    for (int t = 0; t < 10; ++t) {
      take_step(stream, t);
      if (t == 7) stream.correct(Given(model, t).gaussian());
    }
    const Stream before = stream;
    const auto expect_refused = [&](std::uint64_t position, Stop why) {
      const StepReport report = stream.observe(Given(model, 3).label, position);
      EXPECT_EQ(report.stop, why) << position << ": " << name(report.stop);
      EXPECT_EQ(report.accepted, 0);
      ASSERT_TRUE(same_stream(stream, before)) << position;
      EXPECT_EQ(stream.rewindable(), 4);
    };
    for (const std::uint64_t position : {1, 5, 6}) expect_refused(position, Stop::too_late);
    for (const std::uint64_t position : {7, 8}) expect_refused(position, Stop::not_replayable);
    expect_refused(0, Stop::no_such_step);
    expect_refused(11, Stop::no_such_step);
    expect_refused(std::numeric_limits<std::uint64_t>::max(), Stop::no_such_step);
    // what is refused is not remembered either
    Stream other = before;
    EXPECT_GE(stream.observe(Given(model, 8).label, 9).trials, 0);
    other.observe(Given(model, 8).label, 9);
    EXPECT_TRUE(same_stream(stream, other));
    EXPECT_FALSE(same_stream(stream, before));
    // a correction takes the step it is for out of what can be repeated, not those after it
    take_step(stream, 10);
    stream.correct(Given(model, 10).gaussian());
    take_step(stream, 11);
    EXPECT_EQ(stream.observe(Given(model, 9).label, 10).stop, Stop::not_replayable);
    EXPECT_NE(stream.observe(Given(model, 11).label, 12).stop, Stop::not_replayable);
  }
}

TEST_P(LateLabelsOf, OfTheLastStepAreTakenWhateverHappenedToIt) {
  for (const Metric metric : of.metrics()) {
    SCOPED_TRACE(name(metric));
    const Given given(model, 5), other(model, 6);
    Stream kept = stream_with(metric), plain = stream_with(metric, 0);
    for (Stream* stream : {&kept, &plain}) {
      for (int t = 0; t < 6; ++t) take_step(*stream, t);
      stream->correct(other.gaussian());
    }
    // after a correction by an objective
    const auto expect_taken = [&](Stream& stream, Stream& reference) {
      EXPECT_EQ(stream.observe(given.label).stop, reference.correct(given.gaussian(0.3F)).stop);
      EXPECT_TRUE(same_stream(stream, reference));
    };
    expect_taken(kept, plain);
    // after a restore, and where a rewind has used up all that was kept
    Stream restored = stream_with(metric, 3);
    for (int t = 20; t < 25; ++t) take_step(restored, t);
    ASSERT_TRUE(restored.restore(snapshot_of(plain)));
    expect_taken(restored, plain);
    EXPECT_EQ(restored.observe(given.label, restored.position() - 1).stop, Stop::too_late);
    Stream rewound = restored;
    for (int t = 6; t < 9; ++t) take_step(rewound, t);
    rewound.observe(given.label, rewound.position() - 1);
    ASSERT_TRUE(rewound.rewind(3));
    EXPECT_TRUE(same_state(rewound, plain));
    rewound.observe(given.label);
    plain.correct(given.gaussian(0.3F));
    EXPECT_TRUE(same_state(rewound, plain));
    // what came before is no longer there to be repeated
    take_step(rewound, 9);
    EXPECT_EQ(rewound.observe(given.label, rewound.position() - 1).stop, Stop::too_late);
  }
}

TEST_P(LateLabelsOf, AfterGoingBackBelongToTheStepsTakenSince) {
  Stream stream = stream_with(Metric::exact), straight = stream_with(Metric::exact);
  for (int t = 0; t < 8; ++t) {
    take_step(stream, t);
    stream.observe(Given(model, 40 + t).label);
  }
  ASSERT_TRUE(stream.rewind(8));
  for (Stream* s : {&stream, &straight}) {
    for (int t = 0; t < 6; ++t) take_step(*s, t);
    for (const int t : {4, 1, 5, 2}) s->observe(Given(model, t).label, t + 1U);
  }
  EXPECT_TRUE(same_stream(stream, straight));
  // also those told before the rewind, of steps that it left
  for (Stream* s : {&stream, &straight}) {
    for (int t = 6; t < 8; ++t) take_step(*s, t);
  }
  ASSERT_TRUE(stream.rewind(2));
  for (int t = 6; t < 8; ++t) take_step(stream, t);
  for (Stream* s : {&stream, &straight}) s->observe(Given(model, 3).label, 4);
  EXPECT_TRUE(same_stream(stream, straight));
}

TEST_P(LateLabelsOf, ReachStepsOfChunks) {
  std::vector<float> x;
  Stream chunked = stream_with(Metric::exact), stepped = stream_with(Metric::exact);
  for (int t = 0; t < 7; ++t) {
    const std::vector<float> row = Input{model.inputs()}(t);
    x.insert(x.end(), row.begin(), row.end());
    stepped.advance(row);
    if (t == 3) stepped.observe(Given(model, t).label);
  }
  chunked.advance_chunk(x);
  chunked.observe(Given(model, 3).label, 4);
  EXPECT_TRUE(same_stream(chunked, stepped));
}

// --- labels themselves

class GruLabels : public testing::Test {
 protected:
  const Model model = model_of(one_block(GruConfig{}));

  Stream stream_after(int steps, const std::vector<float>& noise = {0.3F}) const {
    StreamOptions options = with_metric(Metric::exact, {}, 5);
    options.noise = noise;
    Stream stream(model, options);
    for (int t = 0; t < steps; ++t) stream.advance(Given(model, t).x);
    return stream;
  }
};

TEST_F(GruLabels, ThatAreMissingAltogetherChangeNothing) {
  for (const std::uint64_t position : {2, 4}) {
    for (const std::vector<float>& label :
         {std::vector<float>{kNan, kNan}, {HUGE_VALF, -HUGE_VALF}, {2e18F, -3e38F}, {}}) {
      Stream stream = stream_after(4);
      const Stream before = stream;
      EXPECT_EQ(stream.observe(label, position).stop, Stop::nothing_observed);
      EXPECT_TRUE(same_stream(stream, before));
    }
  }
}

TEST_F(GruLabels, MayBeShorterOrLongerThanTheOutputs) {
  Stream shorter = stream_after(4), longer = stream_after(4), whole = stream_after(4), gap = stream_after(4);
  shorter.observe(std::vector<float>{1.0F}, 3);
  gap.observe(std::vector<float>{1.0F, kNan}, 3);
  EXPECT_TRUE(same_stream(shorter, gap));
  longer.observe(std::vector<float>{1.0F, 2.0F, 3.0F}, 3);
  whole.observe(std::vector<float>{1.0F, 2.0F}, 3);
  EXPECT_TRUE(same_stream(longer, whole));
  EXPECT_FALSE(same_stream(longer, shorter));
}

TEST_F(GruLabels, OfOneChannelReplaceWhatWasKnownOfItUnlessTheyAreMissing) {
  const std::vector<float> last = {1.5F, -0.5F};
  Stream once = stream_after(4), often = stream_after(4);
  once.observe(last, 3);
  for (const std::vector<float>& label :
       {std::vector<float>{-2.0F, 3.0F}, {kNan, -0.5F}, {1.5F, 2e18F}, {HUGE_VALF, kNan}}) {
    often.observe(label, 3);
  }
  EXPECT_TRUE(same_stream(once, often));
}

TEST_F(GruLabels, AreWeighedByTheNoiseOfTheirChannel) {
  const std::vector<float> noise = {0.1F, 2.0F}, label = {1.0F, -1.0F};
  Stream observed = stream_after(4, noise), corrected = stream_after(4, noise), equal = stream_after(4, {0.1F});
  observed.observe(label);
  corrected.correct(Gaussian({.values = label, .noises = noise}));
  equal.observe(label);
  EXPECT_TRUE(same_stream(observed, corrected));
  EXPECT_FALSE(same_stream(observed, equal));
}

TEST_F(GruLabels, AreWeighedByTheModelsNoiseUnlessTheStreamHasItsOwn) {
  ModelConfig config = model.config();
  config.noise = {0.1, 2.0};
  const Model measured = Model::create(config, tensors_of(config), {.isa = test_isa()}).value();
  const auto observed = [](const Model& by, const std::vector<float>& noise) {
    StreamOptions options = with_metric(Metric::exact, {}, 5);
    options.noise = noise;
    Stream stream(by, options);
    stream.advance(Given(by, 0).x);
    stream.observe(std::vector<float>{1.0F, -1.0F});
    return stream;
  };
  EXPECT_TRUE(same_stream(observed(measured, {}), observed(model, {0.1F, 2.0F})));
  EXPECT_TRUE(same_stream(observed(measured, {0.5F}), observed(model, {0.5F})));
  EXPECT_TRUE(same_stream(observed(model, {}), observed(model, {1.0F})));
  EXPECT_FALSE(same_stream(observed(measured, {}), observed(model, {})));
}

TEST_F(GruLabels, ReportTheCorrectionOfTheirOwnStep) {
  const std::vector<float> label = {1.0F, -1.0F};
  Stream late = stream_after(3), in_time = stream_after(3);
  const StepReport expected = in_time.observe(label);
  for (int t = 3; t < 6; ++t) late.advance(Given(model, t).x);
  late.observe(std::vector<float>{5.0F, 5.0F}, 5);
  const StepReport report = late.observe(label, 3);
  EXPECT_EQ(report.loss_before, expected.loss_before);
  EXPECT_EQ(report.loss_after, expected.loss_after);
  EXPECT_EQ(report.accepted, expected.accepted);
}

}  // namespace
}  // namespace elastane
