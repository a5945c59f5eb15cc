#include "lab/protein_loop/training.h"

#include <cstring>

#include "elastane/core/network/model.h"
#include "elastane/train/stacks.h"
#include "lab/protein_loop/example_set.h"
#include "lab/protein_loop/training_gate.h"
#include "lab/protein_loop/training_metric.h"

namespace elastane::protein_loop {
namespace {

struct Options {
  lab::TrainingOptions training;
  std::string network = "ssm";
  int examples = 600;   // passes to learn from
  std::string kept;     // a file that keeps them for other trainings with the same seed; "": they are drawn
  std::string follow;   // a model that moves the chain while the corrector labels its steps, or ""; the gate's network
  int followed = 0;     // passes of that
  double price = 0.02;  // of a thousand multiply-adds, in units of energy, for the gate
};

void add_examples(train::Dataset& data, const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    const at::Tensor x = at::empty({example.steps, kInputs});
    const at::Tensor target = at::empty({example.steps, kOutputs});
    std::memcpy(x.data_ptr<float>(), example.x.data(), example.x.size() * sizeof(float));
    std::memcpy(target.data_ptr<float>(), example.target.data(), example.target.size() * sizeof(float));
    data.push_back({x, target, at::full({example.steps}, kTimeStep)});
  }
}

std::vector<BlockConfig> blocks_of(const std::string& network) {
  const train::StackSizes sizes{.hidden = 192, .window = 64};
  if (network == "transformer") return train::transformer_stack(sizes);
  if (network == "hybrid") return train::selective_hybrid_stack(sizes);
  return train::selective_stack(sizes);
}

lab::TrainingTask task_of(const Options& options) {
  const std::uint64_t seed = options.training.run.seed;
  lab::TrainingTask task{.name = "protein_loop_" + options.network,
                         .config = {.inputs = kInputs, .outputs = kOutputs, .width = 64}};
  task.config.blocks = blocks_of(options.network);
  task.config.head = {.hidden = {128}, .activation = Activation::silu};
  task.options.sampler = {.batch = 48, .length = 64, .carry = 0, .warm_up = 0};
  task.options.schedule = {.steps = 1500, .warm_up = 100};
  task.options.rate = 2e-3;
  task.options.validate_every = 250;
  add_examples(task.learn, kept_examples(options.kept, seed, options.examples));
  add_examples(task.held_out, make_examples(kHeldOutSeed, 0, kHeldOutExamples, nullptr));
  if (!options.follow.empty()) {
    const Model model = Model::load(options.follow).value();
    add_examples(task.learn, make_examples(seed, options.examples, options.followed, &model));
    add_examples(task.held_out, make_examples(kHeldOutSeed, kHeldOutExamples, kHeldOutExamples, &model));
  }
  task.description = {{"network", options.network},
                      {"lessons", options.examples},
                      {"follow", options.follow},
                      {"followed", options.followed}};
  return task;
}

int train(const Options& options, const lab::TrainingCommands& commands) {
  const std::uint64_t seed = options.training.run.seed;
  std::string output = options.training.run.output;
  if (output.empty()) output = "protein_loop_" + options.network + ".safetensors";
  if (options.network == "gate") {
    train_gate({options.follow, options.followed, options.price}, seed, commands.record().command, output);
    return 0;
  }
  if (options.network == "metric") {
    train_metric(seed, commands.record().command, output);
    return 0;
  }
  return commands.run(options.training, [&] { return task_of(options); });
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  const std::vector<std::string> networks = {"ssm", "transformer", "hybrid"},
                                 following = {"ssm", "transformer", "hybrid", "gate"};
  auto options = std::make_shared<Options>();
  command_line::Command& task =
      commands.add("protein_loop", "Torsions of a bent protein, by imitation of the corrector");
  lab::declare(task, options->training, {.with = networks});
  task.option("--network", options->network,
              "a network; gate: the gate of a network's corrector; metric: a learned metric")
      .one_of({"ssm", "transformer", "hybrid", "gate", "metric"});
  task.option("--lessons,--examples", options->examples, "passes to learn from")
      .range(0, 1e6)
      .only_with("--network", networks);
  task.option("--keep-lessons,--keep-examples", options->kept,
              "file that keeps these passes, for other trainings with the same seed")
      .type("FILE")
      .only_with("--network", networks);
  task.option("--follow", options->follow, "a model that moves the chain; of a gate: the network it works with")
      .type("FILE")
      .only_with("--network", following);
  task.option("--followed", options->followed, "passes of that")
      .range(0, 1e6)
      .needs("--follow")
      .only_with("--network", following);
  task.option("--price", options->price, "of a thousand multiply-adds").at_least(0).only_with("--network", {"gate"});
  task.action([=, &commands] { return train(*options, commands); });
}

}  // namespace elastane::protein_loop
