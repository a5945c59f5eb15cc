// lab/training/commands.cpp: the record of a run, and a small run from its options to its model.
#include "lab/training/commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "elastane/core/network/model.h"
#include "tests/io/folder.h"

namespace elastane::lab {
namespace {

struct Program {
  explicit Program(std::vector<std::string> arguments)
      : commands(program.command("train", ""), std::move(arguments), "1.0", "abc") {}
  command_line::Command program{"elastane", ""};
  TrainingCommands commands;
};

train::Dataset echo(int count) {
  train::Dataset data;
  at::manual_seed(1);
  for (int i = 0; i < count; ++i) {
    const at::Tensor x = at::randn({20, 1});
    data.push_back({x, 0.5 * x, {}});
  }
  return data;
}

TrainingTask task_of(train::Dataset learn, train::Dataset held_out) {
  TrainingTask task{.name = "echo", .config = {.inputs = 1, .outputs = 1, .width = 4}};
  task.config.blocks = {{.kind = GruConfig{}}};
  task.options.sampler = {.batch = 2, .length = 10};
  task.options.schedule = {.steps = 4, .warm_up = 1};
  task.options.validate_every = 2;
  task.learn = std::move(learn);
  task.held_out = std::move(held_out);
  return task;
}

TEST(TrainingCommands, RecordTheCommandThatRepeatsTheRun) {
  const Program p(
      {"elastane", "train", "maze", "--model", "{\"format\": 1}", "--rendezvous", "127.0.0.1:77", "--rank", "0"});
  EXPECT_EQ(p.commands.record().command, "elastane train maze --model '{\"format\": 1}'");
  EXPECT_EQ(p.commands.record().commit, "abc");
}

TEST(TrainingCommands, TrainAModelInAFolder) {
  const Folder folder;
  const Program p({"elastane", "train", "echo"});
  TrainingOptions options;
  options.run.folder = folder / "run";
  options.run.output = folder / "echo.safetensors";
  options.run.threads = 1;
  EXPECT_EQ(p.commands.run(options, [] { return task_of(echo(4), echo(2)); }), 0);
  EXPECT_TRUE(Model::load(folder / "echo.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(folder / "run/checkpoint.safetensors"));
}

TEST(TrainingCommands, TrainInRoundsFromTheModelOfTheRoundBefore) {
  const Folder folder;
  const Program p({"elastane", "train", "echo"});
  TrainingOptions options;
  options.run.folder = folder / "run";
  options.run.threads = 1;
  std::vector<bool> acted;
  const TrainingRounds rounds{.count = 2,
                              .gather =
                                  [&](int, const Model* actor) {
                                    acted.push_back(actor != nullptr);
                                    return echo(32);
                                  },
                              .task =
                                  [](const std::vector<train::Dataset>& all) {
                                    TrainingTask task = task_of({}, {});
                                    split(all, task);
                                    return task;
                                  },
                              .scores = "inputs",
                              .score = [](const Model& model) { return std::to_string(model.inputs()); }};
  EXPECT_EQ(p.commands.run(options, rounds), 0);
  EXPECT_EQ(acted, (std::vector{false, true}));
  EXPECT_TRUE(std::filesystem::exists(folder / "run/round-1/model.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(folder / "run/rounds.csv"));
}

TEST(TrainingCommands, RefuseARankWithoutItsRendezvous) {
  const Program p({"elastane", "train", "echo"});
  TrainingOptions options;
  options.run.peers.ranks = 2;
  options.rank = 0;
  EXPECT_THROW(p.commands.run(options, [] { return TrainingTask(); }), std::runtime_error);
}

}  // namespace
}  // namespace elastane::lab
