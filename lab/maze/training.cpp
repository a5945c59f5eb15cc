#include "lab/maze/training.h"

#include "lab/maze/agent_configs.h"
#include "lab/maze/training_map.h"
#include "lab/maze/training_networks.h"

namespace elastane::maze {
namespace {

struct Options {
  lab::TrainingOptions training;
  std::string network = "map";
  std::optional<int> rounds, walks;
  NetworkTraining networks;
  MapTraining map;
  PriceSweep sweep;
};

int train(Options o, const lab::TrainingCommands& commands) {
  const bool prices = o.network == "prices";
  if (o.network != "map" && !prices) {
    o.networks.network = o.network;
    lab::take(o.walks, o.networks.walks);
    lab::take(o.rounds, o.networks.rounds);
    return commands.run(o.training, network_rounds(o.networks, o.training.run.seed));
  }
  o.map.seed = o.training.run.seed;
  o.map.record = commands.record();
  lab::take(o.walks, o.map.walks);
  lab::take(o.rounds, o.map.rounds);
  if (prices) o.map.output = "maze_prices.safetensors";
  if (!o.training.run.output.empty()) o.map.output = o.training.run.output;
  if (prices) {
    train_map_prices(o.map, o.sweep);
  } else {
    train_map_agents(o.map);
  }
  return 0;
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  const std::vector<std::string> networks = {"ssm", "transformer", "hybrid", "transformer_map"};
  auto options = std::make_shared<Options>();
  Options& o = *options;
  command_line::Command& task = commands.add("maze", "Paths through mazes, by imitation of a re-planner");
  lab::declare(task, o.training, {.ranks = false, .with = networks});
  task.at("--seed").only_with("--network", {"map", "ssm", "transformer", "hybrid", "transformer_map"});
  task.option("--network", o.network,
              "map: gate and heads of the agents with a map; prices: the gate at several prices of compute")
      .one_of({"map", "prices", "ssm", "transformer", "hybrid", "transformer_map"});
  task.option("--rounds", o.rounds, "in the first the re-planner walks, then the trainee").range(1, 100);
  task.option("--walks", o.walks, "walks per round").range(32, 1e6);
  task.option("--size", o.networks.size, "of the network").one_of({"small", "large"}).only_with("--network", networks);
  task.option("--price", o.map.price, "lambda: the price of 10,000 counted multiply-adds")
      .range(0, 1e6)
      .only_with("--network", {"map"});
  task.option("--method", o.map.method, "how the gate learns")
      .one_of({"marginal", "oracle", "gumbel", "ponder", "act"})
      .only_with("--network", {"map", "prices"});
  task.option("--only", o.map.only, "train this agent alone: its score is printed, nothing is stored")
      .one_of({std::begin(kConfigNames), std::end(kConfigNames)})
      .only_with("--network", {"map"});
  task.option("--prices", o.sweep.prices, "prices to train with").range(0, 1e6).only_with("--network", {"prices"});
  task.option("--seeds", o.sweep.seeds, "trainings at each price").range(1, 100).only_with("--network", {"prices"});
  task.action([=, &commands] { return train(*options, commands); });
}

}  // namespace elastane::maze
