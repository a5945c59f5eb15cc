// elastane/train/unroll.cpp: parity with a core Stream that corrects itself, gradients through it, descent, gaps.
#include "elastane/train/unroll.h"

#include <gtest/gtest.h>

#include "elastane/core/objective/gaussian.h"
#include "tests/core/models.h"
#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

constexpr std::int64_t kBatch = 3, kLength = 40;

std::vector<ModelConfig> configs() {
  std::vector<ModelConfig> all = {one_block(SelectiveConfig{}), one_block(GruConfig{}),
                                  one_block(MambaConfig{.state = 5, .conv = 3}), one_block(S4dConfig{.state = 6})};
  all.push_back(hybrid_config());
  for (ModelConfig& config : all) config.metric = {.present = true, .rank = 2};
  return all;
}

// fresh weights, and a metric that is not the identity
std::vector<elastane::Tensor> tensors_with_metric(const ModelConfig& config) {
  std::vector<elastane::Tensor> tensors = tensors_of(config);
  Random random(3);
  for (elastane::Tensor& tensor : tensors) {
    for (float& value : tensor.values) {
      if (tensor.name.starts_with("metric.")) value = static_cast<float>(random.normal());
    }
  }
  return tensors;
}

struct Pair {
  ModelConfig config;
  std::vector<elastane::Tensor> tensors = tensors_with_metric(config);
  SequenceModel twin = SequenceModel::create(config, tensors).value();
  Model core = Model::create(config, tensors, {.isa = test_isa()}).value();
};

// inputs and targets with gaps, in irregular time
struct Data {
  Sequences s;
  at::Tensor targets;

  Data(const ModelConfig& config, std::int64_t batch, std::int64_t length) {
    at::manual_seed(7);
    s.x = 3 + 2 * at::randn({batch, length, config.inputs});
    s.x = s.x.masked_fill(at::rand({batch, length, config.inputs}) < 0.1, NAN);
    s.dt = 0.3 + at::rand({batch, length});
    targets = at::randn({batch, length, config.outputs});
    targets = targets.masked_fill(at::rand({batch, length, config.outputs}) < 0.15, NAN);
  }
};

// row `row` through a stream of the core: its outputs, and what it reported
struct Streamed {
  at::Tensor y;
  std::vector<StepReport> reports;

  Streamed(const Pair& model, const Data& data, std::int64_t row, const UnrollOptions& options) {
    StreamOptions corrected;
    corrected.corrector = corrector_of(options);
    corrected.noise = options.noise;
    Stream stream(model.core, corrected);
    y = at::empty({data.s.x.size(1), model.core.outputs()});
    for (std::int64_t t = 0; t < y.size(0); ++t) {
      const at::Tensor x = data.s.x[row][t].contiguous(), label = data.targets[row][t].contiguous();
      stream.advance({x.data_ptr<float>(), static_cast<std::size_t>(x.numel())}, data.s.dt[row][t].item<float>());
      reports.push_back(stream.observe({label.data_ptr<float>(), static_cast<std::size_t>(label.numel())}));
      std::copy(stream.output().begin(), stream.output().end(), y.data_ptr<float>() + t * y.size(1));
    }
  }
};

class Parity : public testing::TestWithParam<std::tuple<int, Metric, int>> {
 protected:
  const Pair model{configs()[std::get<0>(GetParam())]};
  const Data data{model.config, kBatch, kLength};
  UnrollOptions options{
      .metric = std::get<1>(GetParam()), .damping = 0.1, .depth = std::get<2>(GetParam()), .noise = {0.5F, 0.8F}};
  const at::NoGradGuard no_grad;

  void expect_the_same() const {
    const Unrolled found = unroll(model.twin, data.s, data.targets, model.twin.start(kBatch), options);
    std::int64_t moved = 0;
    for (const std::int64_t row : {0, 2}) {
      const Streamed expected(model, data, row, options);
      EXPECT_LE(deviation(found.y[row], expected.y), 1e-5) << "radius " << options.radius;
      for (const StepReport& report : expected.reports) moved += report.accepted;
    }
    EXPECT_GE(moved, kLength) << "next to nothing was corrected";
  }
};

TEST_P(Parity, AStreamGivesTheSameOutputs) {
  for (const double radius : {100.0, 0.5, 0.05}) {
    options.radius = radius;
    expect_the_same();
  }
}

TEST_P(Parity, TheFirstStepIsCutAtTheSameLength) {
  // which knows no scale yet from one step
  if (model.config.normaliser.kind == NormaliserKind::running) GTEST_SKIP();
  options.radius = 0.02;
  options.depth = 1;
  const Unrolled found = unroll(model.twin, data.s, data.targets, model.twin.start(kBatch), options);
  const Streamed expected(model, data, 0, options);
  const StepReport& first = expected.reports.front();
  ASSERT_EQ(first.accepted, 1);
  EXPECT_NEAR(first.length, 0.02, 1e-9);
  EXPECT_NEAR(found.alpha[0][0][0].item<double>(), first.alpha, 1e-4 * first.alpha);
  EXPECT_NEAR(found.kappa[0][0][0].item<double>(), first.kappa, 1e-4 * first.kappa);
  EXPECT_LE(deviation(found.y[0][0], expected.y[0]), 1e-5);
}

TEST_P(Parity, AStreamDriftsBackToTheProposalAlike) {
  options.drift = 0.1;
  options.depth = 3;
  expect_the_same();
}

TEST_P(Parity, AStreamTakesStepsOfTheMetricsOwnLengthAlike) {
  // ESM as it is written, with a refusal and without
  options.length = StepLength::fixed;
  options.step = 0.3;
  for (const bool accept : {true, false}) {
    options.accept = accept;
    options.drift = accept ? 0 : 0.05;
    expect_the_same();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Parity,
                         testing::Combine(testing::Range(0, 5),
                                          testing::Values(Metric::euclidean, Metric::learned, Metric::exact),
                                          testing::Values(1, 2)));

void expect_gradients_through(ModelConfig config, Metric metric, StepLength length) {
  config.metric = {.present = metric == Metric::learned, .rank = 2};
  config.learned_start = true;
  const SequenceModel model = SequenceModel::create(config, tensors_with_metric(config), at::kDouble).value();
  const Data data(config, 2, 3);
  const at::Tensor truth = at::randn({2, 3, 1, config.outputs}, at::kDouble);
  UnrollOptions options{.metric = metric, .damping = 0.1, .length = length, .noise = {0.5F, 0.8F}};
  options.step = 0.7, options.radius = 0.4, options.depth = 2, options.drift = 0.1;
  const auto loss = [&] {
    const Unrolled run = unroll(model, data.s, data.targets, model.start(2), options);
    return (run.outputs - truth).square().mean() + 0.01 * run.kappa.mean();  // every depth, states carried
  };
  expect_gradients_of_weights(
      model, loss, std::string(name(metric)) + ", " + std::string(length == StepLength::line ? "line" : "fixed"));
}

TEST(Unroll, GradientsAreThoseOfDifferences) {
  for (const ModelConfig& config : configs()) {
    if (config.blocks.size() > 1) continue;  // below
    for (const Metric metric : {Metric::euclidean, Metric::learned, Metric::exact}) {
      for (const StepLength length : {StepLength::line, StepLength::fixed}) {
        expect_gradients_through(config, metric, length);
      }
    }
  }
}

TEST(Unroll, GradientsThroughEveryBlockAreThoseOfDifferences) {
  expect_gradients_through(hybrid_config(), Metric::learned, StepLength::line);
}

TEST(Unroll, AcceptedStepsNeverRaiseTheLoss) {
  const at::NoGradGuard no_grad;
  for (const ModelConfig& config : configs()) {
    const Pair model{config};
    const Data data(config, 8, 20);
    for (const Metric metric : {Metric::euclidean, Metric::learned, Metric::exact}) {
      // steps that are too long for a plain gradient
      UnrollOptions options{.metric = metric,
                            .damping = 0.01,
                            .length = StepLength::fixed,
                            .step = 1.5,
                            .radius = 1e3,
                            .depth = 3,
                            .trials = 12,
                            .noise = {0.003F}};
      const Unrolled run = unroll(model.twin, data.s, data.targets, model.twin.start(8), options);
      const at::Tensor raised = run.losses.narrow(2, 1, 3) - run.losses.narrow(2, 0, 3);
      EXPECT_LE(raised.max().item<double>(), 0);
      EXPECT_TRUE(at::equal(run.depth, (raised < 0).sum(-1)));
      EXPECT_GT((run.alpha > 0).sum().item<std::int64_t>(), 0);

      // the contraction at the end of the hybrid keeps even long steps from raising the loss
      if (metric != Metric::euclidean || config.blocks.size() > 1) continue;
      options.accept = false;
      const Unrolled careless = unroll(model.twin, data.s, data.targets, model.twin.start(8), options);
      EXPECT_GT((careless.losses.select(2, 1) - careless.losses.select(2, 0)).max().item<double>(), 0);
    }
  }
}

TEST(Unroll, DepthsAreMoreStepsOfTheSameKind) {
  const at::NoGradGuard no_grad;
  const Pair model{configs()[1]};
  const Data data(model.config, 2, 1);
  const Forward first = model.twin.forward(data.s, model.twin.start(2));
  const UnrollOptions options{.radius = 0.1}, twice{.radius = 0.1, .depth = 2};
  const at::Tensor target = data.targets.select(1, 0);
  const Corrected one = corrected(model.twin, first.state, target, options);
  const Corrected two = corrected(model.twin, one.state, target, options);
  const Corrected both = corrected(model.twin, first.state, target, twice);
  EXPECT_LE(deviation(both.outputs.select(1, 1), one.y), 1e-6);
  EXPECT_LE(deviation(both.y, two.y), 1e-6);
  EXPECT_LE(deviation(model.twin.decode(both.state), both.y), 1e-6);
}

TEST(Unroll, AStreamWithoutATargetStaysAsItIs) {
  for (const ModelConfig& config : configs()) {
    for (const Metric metric : {Metric::euclidean, Metric::learned, Metric::exact}) {
      const Pair model{config};
      const Data data(config, 2, 5);
      const Forward first = model.twin.forward(data.s, model.twin.start(2));
      at::Tensor target = at::full({2, config.outputs}, NAN);
      target[1][0] = 1.0;
      const UnrollOptions options{.metric = metric, .depth = 2, .drift = 0.1};
      const Corrected found = corrected(model.twin, first.state, target, options);
      const at::Tensor before = model.twin.latents(first.state), after = model.twin.latents(found.state);
      EXPECT_TRUE(at::equal(before[0], after[0]));
      EXPECT_FALSE(at::equal(before[1], after[1]));
      EXPECT_EQ(found.alpha[0].abs().max().item<double>(), 0);
      EXPECT_EQ(found.losses[0].abs().max().item<double>(), 0);

      // nor does it spoil what is learned from the other
      const auto gradients = torch::autograd::grad({found.y.square().sum()}, model.twin.weights().values(), {},
                                                   c10::nullopt, /*create_graph=*/false, /*allow_unused=*/true);
      for (const at::Tensor& g : gradients) EXPECT_TRUE(!g.defined() || at::isfinite(g).all().item<bool>());
    }
  }
}

TEST(Unroll, ALargerOutputSpaceIsSolvedInTheSmallerOne) {
  const at::NoGradGuard no_grad;
  ModelConfig config{.inputs = 3, .outputs = 7, .width = 5};
  config.blocks = {{.kind = GruConfig{}}};
  const Pair model{config};
  const Data data(config, 2, kLength);
  const UnrollOptions options{.damping = 0.1, .radius = 10, .depth = 2};
  const Unrolled found = unroll(model.twin, data.s, data.targets, model.twin.start(2), options);
  EXPECT_LE(deviation(found.y[1], Streamed(model, data, 1, options).y), 1e-5);
}

// mean square, where there is a target
at::Tensor error_of(const at::Tensor& y, const at::Tensor& targets) {
  const at::Tensor offered = at::isfinite(targets);
  return (y - targets).masked_fill(~offered, 0.0).square().sum() / offered.sum();
}

// how well a stream of the core does with these weights
double streamed_error(const SequenceModel& trained, const Data& data, const UnrollOptions& options) {
  const Pair model{.config = trained.config(), .tensors = trained.weights().tensors()};
  std::vector<at::Tensor> y;
  for (std::int64_t row = 0; row < data.s.x.size(0); ++row) y.push_back(Streamed(model, data, row, options).y);
  return error_of(at::stack(y), data.targets).item<double>();
}

TEST(Unroll, AMetricIsLearnedThroughTheLoop) {
  ModelConfig config = configs()[0];
  config.outputs = 4;
  config.norm = Norm::none;  // so that every target can be reached
  const SequenceModel model = SequenceModel::create(config, tensors_of(config)).value();
  const Data data(config, 8, 24);
  const UnrollOptions options{.metric = Metric::learned, .damping = 0.01, .radius = 10, .noise = {0.5F}};
  const std::vector<at::Tensor> learned = {model.weights()["metric.diagonal"], model.weights()["metric.factor"]};
  {
    const at::NoGradGuard no_grad;
    learned[1].normal_(0, 0.1);  // at zero its gradient is zero too
  }
  const double before = streamed_error(model, data, options);

  // Adam, on the metric alone
  std::vector<double> errors;
  std::vector<at::Tensor> mean = {at::zeros_like(learned[0]), at::zeros_like(learned[1])}, square = mean;
  for (int i = 1; i <= 40; ++i) {
    const Unrolled run = unroll(model, data.s, data.targets, model.start(8), options);
    const at::Tensor error = error_of(run.y, data.targets);
    errors.push_back(error.item<double>());
    const auto gradients = torch::autograd::grad({error}, learned);
    const at::NoGradGuard no_grad;
    for (std::size_t k = 0; k < learned.size(); ++k) {
      mean[k] = 0.9 * mean[k] + 0.1 * gradients[k];
      square[k] = 0.99 * square[k] + 0.01 * gradients[k].square();
      const at::Tensor scale = at::sqrt(square[k] / (1 - std::pow(0.99, i))) + 1e-12;
      learned[k].sub_(0.1 * mean[k] / (1 - std::pow(0.9, i)) / scale);
    }
  }
  RecordProperty("first", std::to_string(errors.front()));
  RecordProperty("last", std::to_string(errors.back()));
  EXPECT_NEAR(errors.front(), before, 1e-4 * before);
  EXPECT_LT(errors.back(), 0.1 * errors.front());
  EXPECT_LT(streamed_error(model, data, options), 0.1 * before);  // and it runs as it was trained
}

TEST(Unroll, WhatMakesNoSenseIsRefused) {
  const Pair model{one_block(GruConfig{})};
  const Forward first = model.twin.forward(Data(model.config, 2, 1).s, model.twin.start(2));
  const at::Tensor target = at::zeros({2, 2});
  EXPECT_THROW(corrected(model.twin, first.state, target, {.metric = Metric::learned}), c10::Error);
  EXPECT_THROW(corrected(model.twin, first.state, target, {.metric = Metric::sketch}), c10::Error);
  EXPECT_THROW(corrected(model.twin, first.state, at::zeros({2, 3})), c10::Error);
  EXPECT_THROW(unroll(model.twin, Data(model.config, 3, 1).s, at::zeros({3, 1, 2}), first.state), c10::Error);
}

}  // namespace
}  // namespace elastane::train
