// The rivals of the maze: stacks of blocks, trained alike, on the same walks of the same expert.
#include "lab/maze/training_networks.h"

#include <fmt/core.h>

#include "elastane/train/stacks.h"
#include "lab/maze/demonstration.h"
#include "lab/maze/language.h"
#include "lab/maze/network_agent.h"
#include "lab/maze/trial.h"

namespace elastane::maze {
namespace {

constexpr int kSteps = 96;  // of a walk at most

// about as many weights and multiply-adds in each; a Transformer has the larger state
std::vector<BlockConfig> blocks_of(const std::string& network, int width) {
  if (network == "ssm") return train::mamba_stack({.hidden = 4 * width});
  if (network == "hybrid") return train::mamba_hybrid_stack({.hidden = 4 * width, .window = 32});
  return train::transformer_stack({.hidden = 4 * width, .window = 128});
}

bool told_of_map(const NetworkTraining& options) { return options.network == "transformer_map"; }

train::Dataset show_walks(const NetworkTraining& options, std::uint64_t seed, int round, const Model* driver) {
  const DemonstrationOptions how{.steps = kSteps, .driver = driver, .map = told_of_map(options)};
  train::Dataset walks;
  for (int i = 0; i < options.walks; ++i) {
    const auto which = static_cast<std::uint64_t>(i) + (static_cast<std::uint64_t>(round) << 32U);
    const Demonstration shown = demonstrate(how, seed ^ (which << 8U));
    walks.push_back({lab::rows(shown.x, how.inputs()), lab::rows(shown.target, kOutputs), {}});
  }
  return walks;
}

lab::TrainingTask task_of(const NetworkTraining& options, const std::vector<train::Dataset>& rounds) {
  lab::TrainingTask task{.name = "maze_" + options.network,
                         .config = {.inputs = DemonstrationOptions{.map = told_of_map(options)}.inputs(),
                                    .outputs = kOutputs,
                                    .width = options.size == "large" ? 64 : 32}};
  task.config.blocks = blocks_of(options.network, task.config.width);
  task.config.head = {.hidden = {2 * task.config.width}, .activation = Activation::silu};
  lab::split(rounds, task);
  task.options.loss = {{.kind = train::LossKind::cross_entropy}};
  task.options.sampler = {.batch = 32, .length = kSteps, .carry = 0, .warm_up = 0, .classes = 16};
  task.options.schedule = {.steps = 600, .warm_up = 50};
  task.options.rate = 3e-3;
  task.options.validate_every = 100;
  task.description = {
      {"network", options.network}, {"size", options.size}, {"rounds", rounds.size()}, {"walks", options.walks}};
  return task;
}

std::string judge(const Model& model) {
  NetworkAgent agent(model);
  const TrialScore score = try_out(agent, {});
  return fmt::format("{:.4f},{:.4f},{:.4f}", score.within_2, score.within_3, score.within_4);
}

}  // namespace

lab::TrainingRounds network_rounds(const NetworkTraining& options, std::uint64_t seed) {
  return {.count = options.rounds,
          .gather = [=](int round, const Model* driver) { return show_walks(options, seed, round, driver); },
          .task = [=](const std::vector<train::Dataset>& rounds) { return task_of(options, rounds); },
          .scores = "within_2,within_3,within_4",
          .score = judge};
}

}  // namespace elastane::maze
