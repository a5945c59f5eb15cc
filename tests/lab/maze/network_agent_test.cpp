// lab/maze/network_agent.cpp and trial.cpp: networks that walk, and how they are judged.
#include "lab/maze/network_agent.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "elastane/io/model_file.h"
#include "lab/maze/expert.h"
#include "lab/maze/language.h"
#include "lab/maze/trial.h"

namespace elastane::maze {
namespace {

ModelConfig config_of(int inputs) {
  ModelConfig config{.inputs = inputs, .outputs = kOutputs, .width = 16};
  config.blocks = {BlockConfig{.kind = SelectiveConfig{}}};
  return config;
}

Model untrained(int inputs) {
  const ModelConfig config = config_of(inputs);
  return Model::create(config, random_tensors(config, 2)).value();
}

std::vector<int> moves_of(Agent& agent, const Task& task) {
  std::vector<int> moves;
  Walk walk(task);
  agent.begin(task);
  while (!walk.over()) {
    moves.push_back(agent.act(walk.look()));
    walk.move(moves.back());
  }
  return moves;
}

class Expert final : public Agent {
 public:
  void begin(const Task& task) override { planner_.begin(task); }
  int act(const Sight& sight) override {
    planner_.see(sight);
    return planner_.act();
  }

 private:
  Replanner planner_;
};

TEST(NetworkAgent, WalksAsItsStreamSays) {
  const Model model = untrained(kInputs);
  const Task task = draw_lattice({}, 1);
  NetworkAgent agent(model);
  Stream stream(model);
  std::vector<float> x(kInputs);
  Walk walk(task);
  agent.begin(task);
  while (!walk.over()) {
    const Sight sight = walk.look();
    speak(sight, x);
    stream.advance(x);
    const int way = agent.act(sight);
    ASSERT_EQ(way, best_way(sight, stream.output()));
    walk.move(way);
  }
}

TEST(NetworkAgent, NeverRunsIntoAWallItSees) {
  const Task task = draw_lattice({}, 2);
  NetworkAgent agent(untrained(kInputs));
  Walk walk(task);
  agent.begin(task);
  while (!walk.over()) {
    walk.move(agent.act(walk.look()));
    ASSERT_FALSE(walk.bumped());
  }
}

TEST(NetworkAgent, ANewWalkForgetsTheOneBefore) {
  for (const int inputs : {kInputs, kInputs + kMapInputs}) {
    NetworkAgent agent(untrained(inputs));
    const Task task = draw_lattice({}, 3), other = draw_lattice({.size = 21}, 4);
    const std::vector<int> moves = moves_of(agent, task);
    moves_of(agent, other);
    EXPECT_EQ(moves_of(agent, task), moves);
  }
}

TEST(NetworkAgent, CountsWhatAStepOfItsModelTakes) {
  const Model model = untrained(kInputs);
  NetworkAgent agent(model);
  moves_of(agent, draw_lattice({}, 5));
  EXPECT_EQ(agent.report().total_macs(), model.macs());
}

TEST(NetworkAgent, CountsTheMapItIsToldOf) {
  const Model model = untrained(kInputs + kMapInputs);
  const Task task = draw_lattice({}, 5);
  const MapLatent map(task.plan.width(), task.plan.height(), task.moves);
  NetworkAgent agent(model);
  Walk walk(task);
  agent.begin(task);
  agent.act(walk.look());
  EXPECT_EQ(agent.report().total_macs(), model.macs() + map.write_macs() + map.begin_macs());
  agent.act(walk.look());
  EXPECT_EQ(agent.report().total_macs(), model.macs() + map.write_macs());
}

TEST(NetworkAgent, AModelForSomethingElseIsRefused) {
  const std::string path = std::filesystem::temp_directory_path() / "elastane_maze_other.safetensors";
  const ModelConfig config = config_of(7);
  save_model(path, config, random_tensors(config, 1), {}).value();
  const Result<Model> model = load_network(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().find("inputs"), std::string::npos) << model.error();
  EXPECT_NE(model.error().find("found 7 and 4"), std::string::npos) << model.error();
}

TEST(Trial, TheRePlannerIsNearTheCeilingAndIsJudgedTheSameTwice) {
  Expert expert;
  const TrialScore score = try_out(expert, {.mazes = 128}), again = try_out(expert, {.mazes = 128});
  EXPECT_GT(score.within_3, 0.9);
  EXPECT_LE(score.within_2, score.within_3);
  EXPECT_LE(score.within_3, score.within_4);
  EXPECT_EQ(score.within_3, again.within_3);
}

}  // namespace
}  // namespace elastane::maze
