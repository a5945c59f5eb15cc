#include "lab/navigation/training.h"

#include "elastane/train/stacks.h"
#include "lab/navigation/demonstration.h"
#include "lab/navigation/encoding.h"

namespace elastane::navigation {
namespace {

struct Options {
  lab::TrainingOptions training;
  std::uint64_t sites_seed = 1;
  int sites = 16;
  int rounds = 3;
  int drives = 4096;  // per round
  bool transformer = false;
};

constexpr int kSteps = 128;  // of an episode

// the compact selective model of the paper, with a position-wise network before it
void describe_selective(ModelConfig& config) {
  config.width = 64;
  config.blocks = {train::mlp_block(256), train::selective_block()};
  config.head = {.hidden = {128}, .activation = Activation::silu};
}

// the baseline: two layers, a window of 128 steps
void describe_transformer(ModelConfig& config) {
  config.width = 64;
  config.blocks = train::transformer_stack({.hidden = 256, .window = 128});
  config.head = {.hidden = {128}, .activation = Activation::silu};
}

train::Dataset demonstrations(const Options& options, int round, const Model* driver) {
  const std::uint64_t seed = options.training.run.seed;
  const std::vector<RoutedSite> sites = random_sites(options.sites_seed, options.sites);
  const DemonstrationOptions how{.steps = kSteps, .driver = driver, .expert_share = 0.1};
  train::Dataset drives;
  for (int i = 0; i < options.drives; ++i) {
    const auto which = static_cast<std::uint64_t>(i) + (static_cast<std::uint64_t>(round) << 32U);
    const Demonstration shown =
        demonstrate(sites[static_cast<std::size_t>(i) % sites.size()], how, seed ^ (which << 8U));
    drives.push_back({lab::rows(shown.x, kInputs), lab::rows(shown.target, kOutputs), {}});
  }
  return drives;
}

lab::TrainingTask task_of(const Options& options, const std::vector<train::Dataset>& rounds) {
  lab::TrainingTask task{.name = options.transformer ? "navigation_transformer" : "navigation",
                         .config = {.inputs = kInputs, .outputs = kOutputs}};
  if (options.transformer) {
    describe_transformer(task.config);
  } else {
    describe_selective(task.config);
  }
  lab::split(rounds, task);  // drives alternate between sites, so the last ones, held out, cover all of them
  task.options.sampler = {.batch = 32, .length = kSteps, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 1500, .warm_up = 100};
  task.options.rate = 3e-3;
  task.options.validate_every = 250;
  task.description = {{"sites_seed", options.sites_seed},
                      {"sites", options.sites},
                      {"rounds", rounds.size()},
                      {"drives", options.drives}};
  return task;
}

lab::TrainingRounds rounds_of(const Options& options) {
  return {.count = options.rounds,
          .gather = [&](int round, const Model* actor) { return demonstrations(options, round, actor); },
          .task = [&](const std::vector<train::Dataset>& rounds) { return task_of(options, rounds); }};
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<Options>();
  command_line::Command& task = commands.add("navigation", "Driving home over sites, by imitation of a planner");
  lab::declare(task, options->training, {.ranks = false});
  task.option("--sites", options->sites, "number of sites to learn").range(1, 1000);
  task.option("--sites-seed", options->sites_seed, "which sites");
  task.option("--rounds", options->rounds, "in the first the planner drives, then the policy").range(1, 100);
  task.option("--drives", options->drives, "drives per round").range(16, 1e6);
  task.flag("--transformer", options->transformer,
            "train the baseline instead: two layers of attention over 128 steps");
  task.action([=, &commands] { return commands.run(options->training, rounds_of(*options)); });
}

}  // namespace elastane::navigation
