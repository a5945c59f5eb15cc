// Tests elastane/core/stream/stream.cpp and correction.cpp: correcting asks nothing of the allocator, of locks or of the
// system, whatever the metric, the retraction and the gate.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <array>
#include <cmath>

#include "elastane/core/base/clock.h"
#include "elastane/core/base/random.h"
#include "elastane/core/objective/categorical.h"
#include "elastane/core/objective/gaussian.h"
#include "elastane/core/objective/huber.h"
#include "elastane/core/objective/weighted_sum.h"
#include "elastane/core/stream/stream.h"
#include "tests/core/gates.h"
#include "tests/isa.h"
#include "tests/realtime/small_models.h"
#include "tests/realtime/watched_run.h"

namespace elastane {
namespace {

constexpr std::array kStreamMetrics = {Metric::euclidean, Metric::fixed,  Metric::latent_covariance,
                                       Metric::literal,   Metric::sketch, Metric::conjugate_gradient,
                                       Metric::exact,     Metric::kalman};
constexpr std::array kRetractions = {Retraction::first_order, Retraction::second_order, Retraction::christoffel};
constexpr std::array kEveryGate = {Gate::never, Gate::always, Gate::gain, Gate::learned, Gate::kappa, Gate::random};

class Corrections : public testing::Test {
 protected:
  void SetUp() override {
    if (!kCanWatch) GTEST_SKIP() << "sanitizers interpose the allocator and the locks themselves";
    const Verdict clock = run_watched([] { return now_micros() > 0; });
    if (clock.system_call == SYS_clock_gettime) GTEST_SKIP() << "this machine cannot tell the time without the system";
  }

  static void expect_quiet(const Verdict& verdict) {
    EXPECT_EQ(verdict.system_call, -1) << "see asm/unistd_64.h for its name";
    EXPECT_TRUE(verdict.finished);
    EXPECT_TRUE(verdict.succeeded);
    EXPECT_EQ(verdict.requests.allocations, 0);
    EXPECT_EQ(verdict.requests.locks, 0);
  }
};

// what steps are given; made beforehand, gone through in a circle
struct Samples {
  static constexpr int kRows = 101;
  std::array<std::array<float, 2>, kRows> x, label;
  std::array<std::array<std::uint8_t, 2>, kRows> present;
  std::array<float, kRows> dt;

  Samples() {
    Random random(1);
    for (int row = 0; row < kRows; ++row) {
      for (int i = 0; i < 2; ++i) {
        x[row][i] = random.below(20) == 0 ? std::nanf("") : static_cast<float>(random.normal());
        label[row][i] = random.below(8) == 0 ? std::nanf("") : static_cast<float>(random.normal());
        present[row][i] = random.below(6) == 0 ? 0 : 1;
      }
      dt[row] = static_cast<float>(random.uniform(0, 3));
    }
  }
};
const Samples samples;

// every verb there is, with budgets of every kind; whether the stream is in order afterwards
bool live(Stream& stream, std::span<std::byte> bytes, int steps) {
  bool succeeded = true;
  const auto cost = static_cast<double>(stream.micro_step_macs());
  for (int i = 0; i < steps; ++i) {
    const int row = i % Samples::kRows;
    const Target target{.values = samples.label[row], .noise = 0.3};
    const Gaussian gaussian(target);
    const Huber huber(target);
    const Categorical categorical({.label = i % 2, .classes = 2});
    const WeightedSum sum({{1.0, &gaussian}, {0.2, &categorical}});
    const Budget budget = i % 3 == 0 ? Budget::none() : i % 3 == 1 ? Budget::micros(i % 40) : Budget::macs(1.5 * cost);
    if (i % 60 < 25) {  // labels, also late ones
      stream.advance(samples.x[row], samples.present[row], samples.dt[row]);
      if (i % 2 == 0) stream.anticipate();
      stream.observe(samples.label[row], budget);
      stream.observe(samples.label[(row + 1) % Samples::kRows], stream.position() - i % 5, budget);
    } else {
      stream.step(samples.x[row], gaussian, budget);
      stream.advance(samples.x[row]);
      if (i % 2 == 0) stream.anticipate();
      stream.correct(i % 4 == 0 ? static_cast<const Objective&>(sum) : huber, budget);
    }
    if (i % 16 == 7) succeeded &= static_cast<bool>(stream.rewind(stream.rewindable() / 2));
    if (i % 50 == 20) succeeded &= static_cast<bool>(stream.snapshot(bytes));
    if (i % 50 == 40) succeeded &= static_cast<bool>(stream.restore(bytes));
    if (i % 90 == 89) stream.reset();
  }
  return succeeded && std::isfinite(stream.output()[0]);
}

void expect_quiet_life(const Model& model, const StreamOptions& options, int steps, auto expect_quiet) {
  Stream stream(model, options);
  std::vector<std::byte> bytes(stream.snapshot_bytes());
  expect_quiet(run_watched([&] { return live(stream, bytes, steps); }));
}

// two recurrent blocks with windows between them
Model small_stack() {
  ModelConfig config{.inputs = 2, .outputs = 2, .width = 8};
  config.normaliser = {.kind = NormaliserKind::running, .restore = {0, -1}};
  config.mask_input = true;
  config.blocks = {{.kind = GruConfig{}}, {.kind = AttentionConfig{.heads = 2, .window = 5}}, {.kind = LstmConfig{}}};
  config.head.hidden = {8};
  return Model::create(config, random_tensors(config, 1), {.isa = test_isa()}).value();
}

TEST_F(Corrections, ReadTheClockWithoutTheSystem) {
  const Verdict verdict = run_watched([] {
    double last = 0;
    for (int i = 0; i < 1000; ++i) last = now_micros();
    return last > 0;
  });
  expect_quiet(verdict);
}

TEST_F(Corrections, AskForNothingWhateverTheMetricTheRetractionAndTheGate) {
  const Model model = small_stack();
  for (const Metric metric : kStreamMetrics) {
    for (const Retraction retraction : kRetractions) {
      for (const Gate gate : kEveryGate) {
        SCOPED_TRACE(std::string(name(metric)) + ", retraction " + std::to_string(static_cast<int>(retraction)) +
                     ", gate " + std::to_string(static_cast<int>(gate)));
        StreamOptions options{.history = 6};
        options.corrector = CorrectorOptions{.metric = {.kind = metric, .rank = 4},
                                             .trust = {.horizon = 3},
                                             .retraction = {.kind = retraction},
                                             .gate = {.kind = gate, .depth = 2, .price = 1e-3}};
        const GateInput sees = retraction == Retraction::first_order ? GateInput::loss : GateInput::solve;
        options.gate = random_gate(1, {.depths = 3, .sees = sees});
        expect_quiet_life(model, options, 200, expect_quiet);
      }
    }
  }
}

TEST_F(Corrections, AskForNothingInEveryDomainAndWithWhatLasts) {
  const Model model = small_stack();
  for (const Metric metric : kStreamMetrics) {
    for (const Domain domain : {Domain::torus, Domain::ball}) {
      SCOPED_TRACE(name(metric));
      StreamOptions options{.history = 4};
      options.corrector = CorrectorOptions{.metric = {.kind = metric, .rank = 4}, .retraction = {.domain = domain}};
      options.latent.top_block_only = domain == Domain::ball;
      options.latent.persistent.coordinates = {
          .output_gain = true, .output_bias = true, .readout_rank = 1, .input_gain = true, .time_scale = true};
      expect_quiet_life(model, options, 200, expect_quiet);
    }
  }
}

class CorrectionsOf : public Corrections, public testing::WithParamInterface<SmallModel> {};

TEST_P(CorrectionsOf, AskForNothingInManySteps) {
  const ModelConfig& config = GetParam().config;
  const Model model = Model::create(config, random_tensors(config, 1), {.isa = test_isa()}).value();
  for (const Metric metric : {Metric::exact, Metric::conjugate_gradient, Metric::sketch}) {
    SCOPED_TRACE(name(metric));
    StreamOptions options{.history = 6};
    options.corrector = CorrectorOptions{.metric = {.kind = metric}};
    expect_quiet_life(model, options, 1000, expect_quiet);
  }
}

// those that have something to correct
std::vector<SmallModel> recurrent_models() {
  std::vector<SmallModel> models = small_models();
  std::erase_if(models, [](const SmallModel& small) {
    return small.name == "attention" || small.name == "mlp" || small.name == "recursion";
  });
  return models;
}

INSTANTIATE_TEST_SUITE_P(Realtime, CorrectionsOf, testing::ValuesIn(recurrent_models()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace elastane
