// elastane/train/trainer.cpp: learning, stopping, continuing bit for bit, and what a checkpoint refuses.
#include "elastane/train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "elastane/core/stream/stream.h"
#include "elastane/io/model_file.h"
#include "tests/core/models.h"
#include "tests/io/folder.h"
#include "tests/train/gradients.h"

namespace elastane::train {
namespace {

// a slow and a fast wave, and what they are two steps later
Dataset waves(int count, std::int64_t length, double phase) {
  Dataset data;
  for (int s = 0; s < count; ++s) {
    const at::Tensor t = at::arange(length + 2, at::kDouble) + phase + 17.0 * s;
    const at::Tensor rows = at::stack({at::sin(t * 0.2), at::cos(t * 0.05) * at::sin(t * 0.31)}, 1).to(at::kFloat);
    data.push_back({rows.narrow(0, 0, length), rows.narrow(0, 2, length), {}});
  }
  return data;
}

ModelConfig small(BlockKind kind) {
  ModelConfig config{.inputs = 2, .outputs = 2, .width = 12};
  config.learned_start = true;
  config.blocks = {{.kind = std::move(kind)}};
  return config;
}

TrainerOptions quick(std::int64_t steps) {
  TrainerOptions options;
  options.sampler = {.seed = 3, .batch = 6, .length = 24, .carry = 2, .warm_up = 4};
  options.schedule = {.steps = steps, .warm_up = 5};
  options.rate = 0.02;
  options.validate_every = 20;
  return options;
}

struct Bench {
  explicit Bench(const ModelConfig& config, const TrainerOptions& options)
      : model(SequenceModel::create(config, random_tensors(config, 1)).value()),
        trainer(model, learn, held_out, options, peers) {}
  Dataset learn = waves(3, 400, 0), held_out = waves(2, 200, 1000);
  Peers peers;
  SequenceModel model;
  Trainer trainer;

  void run(std::int64_t until) {
    while (trainer.steps_done() < until) {
      trainer.step();
      if (trainer.validation_due()) trainer.validate();
    }
  }
};

bool same_weights(const SequenceModel& a, const SequenceModel& b) {
  const auto x = a.weights().values(), y = b.weights().values();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!at::equal(x[i], y[i])) return false;
  }
  return true;
}

TEST(Trainer, EveryBlockLearns) {
  for (const BlockKind& kind : all_kinds()) {
    // they see nothing of the past
    if (std::holds_alternative<MlpConfig>(kind) || std::holds_alternative<RecursionConfig>(kind)) continue;
    ModelConfig config = small(kind);
    if (auto* attention = std::get_if<AttentionConfig>(&config.blocks[0].kind)) attention->heads = 3;
    Bench bench(config, quick(60));
    const double before = bench.trainer.validate().loss;
    bench.run(60);
    EXPECT_LT(bench.trainer.best_loss(), 0.35 * before) << block_name({.kind = kind});
  }
}

TEST(Trainer, ATrainedModelStreamsInTheCoreAsItWasTrained) {
  ModelConfig config = small(MambaConfig{.state = 4});
  config.blocks.push_back({.kind = AttentionConfig{.heads = 3, .window = 8}});
  config.blocks.push_back({.kind = GruConfig{}});
  Bench bench(config, quick(40));
  bench.run(40);
  config.noise = bench.trainer.measure_noise();
  const Folder folder;
  const std::string path = folder / "model.safetensors";
  save_model(path, config, bench.trainer.best()).value();

  const Model core = Model::load(path, {.isa = test_isa()}).value();
  EXPECT_EQ(core.config().noise, config.noise);
  bench.model.weights().assign(bench.trainer.best());
  const at::NoGradGuard no_grad;
  const Series& series = bench.held_out[0];
  const at::Tensor y = bench.model.forward({.x = series.x.unsqueeze(0)}, bench.model.start(1)).y[0];
  Stream stream(core);
  at::Tensor streamed = at::empty_like(y);
  for (std::int64_t t = 0; t < series.length(); ++t) {
    stream.advance({series.x.data_ptr<float>() + 2 * t, 2});
    std::copy(stream.output().begin(), stream.output().end(), streamed.data_ptr<float>() + 2 * t);
  }
  EXPECT_LE(deviation(streamed, y), 1e-5);
}

TEST(Trainer, NoiseIsTheHeldOutErrorOfTheBestWeights) {
  TrainerOptions options = quick(40);
  options.sampler.warm_up = 0;
  Bench bench(small(GruConfig{}), options);
  bench.run(40);
  // weights that came after the best ones do not matter, and stay
  const at::Tensor weight = bench.model.weights()["encoder.weight"];
  {
    const at::NoGradGuard no_grad;
    weight.fill_(0.5);
  }
  const std::vector<double> noise = bench.trainer.measure_noise();
  EXPECT_TRUE((weight == 0.5).all().item<bool>());
  const double mean = (noise[0] * noise[0] + noise[1] * noise[1]) / 2;
  EXPECT_NEAR(mean, bench.trainer.best_loss(), 1e-6);
}

TEST(Trainer, ContinuingFromACheckpointChangesNoBit) {
  const Folder folder;
  const std::string path = folder / "checkpoint.safetensors";
  for (const BlockKind& kind : {BlockKind(MambaConfig{.state = 3}), BlockKind(LstmConfig{})}) {
    ModelConfig config = small(kind);
    config.normaliser.kind = NormaliserKind::running;
    Bench whole(config, quick(50)), first(config, quick(50)), second(config, quick(50));
    whole.run(50);
    first.run(23);
    save_checkpoint(path, first.trainer.checkpoint()).value();
    second.trainer.restore(load_checkpoint(path).value()).value();
    EXPECT_EQ(second.trainer.steps_done(), 23);
    second.run(50);
    EXPECT_TRUE(same_weights(whole.model, second.model));
    EXPECT_EQ(whole.trainer.best_loss(), second.trainer.best_loss());
    EXPECT_EQ(whole.trainer.best_step(), second.trainer.best_step());
  }
}

TEST(Trainer, GoingBackToACheckpointChangesNoBit) {
  Bench bench(small(GruConfig{}), quick(30));
  bench.run(10);
  const Checkpoint kept = bench.trainer.checkpoint();
  bench.run(30);
  const std::vector<elastane::Tensor> once = bench.model.weights().tensors();
  bench.trainer.restore(kept).value();
  bench.run(30);
  const std::vector<elastane::Tensor> again = bench.model.weights().tensors();
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].values, again[i].values) << once[i].name;
}

TEST(Trainer, LearnsFromIrregularSteps) {
  Bench bench(small(SelectiveConfig{}), quick(40));
  for (Dataset* data : {&bench.learn, &bench.held_out}) {
    for (Series& series : *data) series.dt = 0.5 + at::rand({series.length()});
  }
  const double before = bench.trainer.validate().loss;
  bench.run(40);
  EXPECT_LT(bench.trainer.best_loss(), 0.5 * before);
}

TEST(Trainer, AWarmUpThatLeavesNothingIsRefused) {
  TrainerOptions options = quick(10);
  options.sampler.warm_up = 24 * 3;
  EXPECT_THROW(Bench(small(GruConfig{}), options), std::runtime_error);
  options.sampler.warm_up = 24 * 3 - 1;
  Bench bench(small(GruConfig{}), options);
  bench.held_out = waves(2, 20, 0);
  EXPECT_THROW(bench.trainer.validate(), std::runtime_error);
}

TEST(Trainer, ACheckpointOfAnotherModelIsRefusedAndChangesNothing) {
  Bench a(small(GruConfig{}), quick(10)), b(small(LstmConfig{}), quick(10)), fresh(small(LstmConfig{}), quick(10));
  a.run(5);
  const Status status = b.trainer.restore(a.trainer.checkpoint());
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().find("checkpoint of another model"), std::string::npos) << status.error();
  EXPECT_TRUE(same_weights(b.model, fresh.model));
  EXPECT_EQ(b.trainer.steps_done(), 0);
  EXPECT_FALSE(b.trainer.restore({}));
}

TEST(Trainer, ADivergingLossIsNamed) {
  TrainerOptions options = quick(50);
  Bench bench(small(GruConfig{}), options);
  for (Series& series : bench.learn) series.target.fill_(1e30F);
  try {
    bench.run(50);
    FAIL() << "continued";
  } catch (const Diverged& error) {
    EXPECT_NE(std::string(error.what()).find("not finite at step 1"), std::string::npos) << error.what();
  }
}

TEST(Trainer, PatienceEndsARun) {
  TrainerOptions options = quick(1000);
  options.rate = 1e-12;  // no progress
  options.validate_every = 2;
  options.patience = 3;
  options.schedule.kind = ScheduleKind::constant;
  Bench bench(small(GruConfig{}), options);
  bench.trainer.validate();
  while (!bench.trainer.finished()) {
    bench.trainer.step();
    if (bench.trainer.validation_due()) bench.trainer.validate();
  }
  EXPECT_TRUE(bench.trainer.stopped_early());
  EXPECT_LT(bench.trainer.steps_done(), 100);
}

TEST(Checkpoint, DamagedFilesAreRefused) {
  const Folder folder;
  const std::string path = folder / "checkpoint.safetensors";
  Bench bench(small(GruConfig{}), quick(5));
  save_checkpoint(path, bench.trainer.checkpoint()).value();
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 7);
  EXPECT_FALSE(load_checkpoint(path));
  EXPECT_FALSE(load_checkpoint(folder / "nothing"));
}

}  // namespace
}  // namespace elastane::train
