#include "lab/peptide/training.h"

#include <cstring>

#include "elastane/core/network/model.h"
#include "elastane/train/stacks.h"
#include "lab/peptide/example_set.h"
#include "lab/peptide/observation.h"
#include "lab/peptide/stream_agent.h"
#include "lab/peptide/training_equivariant.h"

namespace elastane::peptide {
namespace {

struct Options {
  lab::TrainingOptions training;
  std::string network = "policy";
  TrainingExamples examples;
};

void add_to(train::Dataset& data, const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    const at::Tensor x = at::empty({example.steps, kInputs});
    const at::Tensor target = at::empty({example.steps, kOutputs});
    std::memcpy(x.data_ptr<float>(), example.x.data(), example.x.size() * sizeof(float));
    std::memcpy(target.data_ptr<float>(), example.target.data(), example.target.size() * sizeof(float));
    data.push_back({x, target, at::full({example.steps}, kTimeStep)});
  }
}

std::vector<BlockConfig> blocks_of(const std::string& network) {
  const train::StackSizes sizes{.hidden = 192, .window = 128};
  if (network == "greedy") return train::mlp_stack(sizes);
  if (network == "transformer") return train::transformer_stack(sizes);
  return train::selective_stack(sizes);
}

// examples in which a trained model moves the chain
void add_followed(const TrainingExamples& options, std::uint64_t seed, lab::TrainingTask& task) {
  const Model model = Model::load(options.follow).value();
  StreamOptions stream;
  if (options.corrected) {
    stream.corrector = CorrectorOptions{.metric = {.damping = 0.1},
                                        .trust = {.radius = 10, .smallest = 10, .largest = 1000},
                                        .retraction = {},
                                        .gate = {.depth = 2}};
  }
  const MakeTrainee make_trainee = [&] { return std::make_unique<StreamAgent>(model, stream); };
  add_to(task.learn, make_examples(seed, options.examples, options.followed, make_trainee));
  add_to(task.held_out, make_examples(kHeldOutSeed, 32, 32, make_trainee));
}

lab::TrainingTask task_of(const Options& given) {
  const TrainingExamples& options = given.examples;
  const std::uint64_t seed = given.training.run.seed;
  lab::TrainingTask task{.name = "peptide_" + given.network,
                         .config = {.inputs = kInputs, .outputs = kOutputs, .width = 64}};
  task.config.blocks = blocks_of(given.network);
  task.config.head = {.hidden = {128}, .activation = Activation::silu};
  task.options.sampler = {.batch = 64, .length = 96, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 2000, .warm_up = 100};
  task.options.rate = 2e-3;
  task.options.validate_every = 250;
  add_to(task.learn, make_examples(seed, 0, options.examples));
  add_to(task.held_out, make_examples(kHeldOutSeed, 0, 32));
  if (!options.follow.empty()) add_followed(options, seed, task);
  task.description = {{"network", given.network},
                      {"lessons", options.examples},
                      {"follow", options.follow},
                      {"followed", options.followed},
                      {"corrected", options.corrected}};
  return task;
}

int train(const Options& options, const lab::TrainingCommands& commands) {
  if (options.network != "equivariant") return commands.run(options.training, [&] { return task_of(options); });
  EquivariantRun run{.seed = options.training.run.seed, .init = options.training.run.init, .record = commands.record()};
  lab::take(options.training.steps, run.steps);
  lab::take(options.training.batch, run.batch);
  lab::take(options.training.rate, run.rate);
  if (!options.training.run.output.empty()) run.output = options.training.run.output;
  train_equivariant(options.examples, run);
  return 0;
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  const std::vector<std::string> networks = {"policy", "greedy", "transformer"};
  auto options = std::make_shared<Options>();
  TrainingExamples& examples = options->examples;
  command_line::Command& task = commands.add("peptide", "Moves of a peptide under contacts, by imitation of an expert");
  lab::declare(task, options->training, {.with = networks, .shared = {"--steps", "--batch", "--rate", "--init"}});
  task.option("--network", options->network, "which network")
      .one_of({"policy", "greedy", "transformer", "equivariant"});
  task.option("--lessons,--examples", examples.examples, "episodes of the expert to learn from").range(0, 1e6);
  task.option("--follow", examples.follow, "a model that moves the chain while the expert labels its steps")
      .type("FILE");
  task.option("--followed", examples.followed, "episodes of that").range(0, 1e6).needs("--follow");
  task.flag("--corrected", examples.corrected, "that model is corrected")
      .needs("--follow")
      .only_with("--network", networks);
  task.action([=, &commands] { return train(*options, commands); });
}

}  // namespace elastane::peptide
