// lab/maze/network_agent.cpp: networks as agents.
#include "lab/maze/network_agent.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "elastane/io/model_file.h"
#include "lab/maze/lattice.h"

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

std::vector<int> moves_of(Agent& agent, const Episode& episode) {
  std::vector<int> moves;
  Environment environment(episode);
  agent.begin(episode);
  while (!environment.over()) {
    moves.push_back(agent.act(environment.observe()));
    environment.step(moves.back());
  }
  return moves;
}

TEST(NetworkAgent, WalksAsItsStreamSays) {
  const Model model = untrained(kInputs);
  const Episode episode = draw_lattice({}, 1);
  NetworkAgent agent(model);
  Stream stream(model);
  std::vector<float> x(kInputs);
  Environment environment(episode);
  agent.begin(episode);
  while (!environment.over()) {
    const Observation observation = environment.observe();
    encode(observation, x);
    stream.advance(x);
    const int move = agent.act(observation);
    ASSERT_EQ(move, best_free_move(observation, stream.output()));
    environment.step(move);
  }
}

TEST(NetworkAgent, NeverRunsIntoAWallItSees) {
  const Episode episode = draw_lattice({}, 2);
  NetworkAgent agent(untrained(kInputs));
  Environment environment(episode);
  agent.begin(episode);
  while (!environment.over()) {
    environment.step(agent.act(environment.observe()));
    ASSERT_FALSE(environment.bumped());
  }
}

TEST(NetworkAgent, ANewWalkForgetsTheOneBefore) {
  for (const int inputs : {kInputs, kInputs + kMapInputs}) {
    NetworkAgent agent(untrained(inputs));
    const Episode episode = draw_lattice({}, 3), other = draw_lattice({.size = 21}, 4);
    const std::vector<int> moves = moves_of(agent, episode);
    moves_of(agent, other);
    EXPECT_EQ(moves_of(agent, episode), moves);
  }
}

TEST(NetworkAgent, CountsWhatAStepOfItsModelTakes) {
  const Model model = untrained(kInputs);
  NetworkAgent agent(model);
  moves_of(agent, draw_lattice({}, 5));
  EXPECT_EQ(agent.report().total_macs(), model.macs());
}

TEST(NetworkAgent, CountsTheMapItReceives) {
  const Model model = untrained(kInputs + kMapInputs);
  const Episode episode = draw_lattice({}, 5);
  MapLatent map(episode.plan.width(), episode.plan.height(), episode.moves);
  map.begin(episode.plan, episode.goal);
  NetworkAgent agent(model);
  Environment environment(episode);
  agent.begin(episode);
  agent.act(environment.observe());
  EXPECT_EQ(agent.report().total_macs(), model.macs() + map.write_macs() + map.begin_macs());
  agent.act(environment.observe());
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

}  // namespace
}  // namespace elastane::maze
