#include "lab/images/training.h"

#include <fmt/core.h>

#include "elastane/io/model_file.h"
#include "lab/data_folder.h"
#include "lab/images/training_images.h"

namespace elastane::images {
namespace {

struct Options {
  std::string task = "digits", method = "recursion", data, output, journal, part = "images";
  ImageTraining training;
  ImageLimits limits;
  double lipschitz = 0;
};

void report(const benchmark::DepthRow& row) {
  fmt::print("{} {} size {} seed {}: accuracy {:.4f}, depth {:.2f}", row.task, row.method, row.size, row.seed,
             row.accuracy, row.mean_depth);
  if (row.accuracy_at_3t >= 0) fmt::print(", at three times the depth {:.4f}", row.accuracy_at_3t);
  if (row.violations >= 0) {
    fmt::print(", {:.0f} of {:.0f} proven classes differ at 1,000 iterations", row.violations, row.cases);
  }
  for (std::size_t i = 0; i < row.curve.size(); ++i) fmt::print("{} {:.4f}", i == 0 ? ";" : "", row.curve[i]);
  fmt::print("\n");
}

int run(const Options& o, const lab::TrainingRecord& record) {
  ImageTraining training = o.training;
  training.task = parse_task(o.task);
  training.method = find_method(o.method);
  if (o.lipschitz > 0) training.method.lipschitz = o.lipschitz;
  const std::string folder = o.data.empty() ? lab::data_folder() + "/images" : o.data;
  TrainedImages trained = train_images(training, read_images(training.task, folder, o.limits).value());
  if (!o.output.empty()) {
    if (!trained.file) throw std::runtime_error("[images] --output: the engine cannot run " + o.method);
    save_model(o.output, trained.file->config, trained.file->tensors,
               {{"command", record.command}, {"commit", record.commit}})
        .value();
  }
  for (benchmark::DepthRow& row : trained.rows) {
    row.part = o.part;
    row.task = o.task;
    row.seed = training.seed;
    row.command = record.command;
    report(row);
    append(o.journal, row);
  }
  return 0;
}

}  // namespace

void add_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<Options>();
  command_line::Command& task = commands.add("images", "Classifiers of images with elastic depth, and their rivals");
  std::vector<std::string> names;
  std::string what;
  for (const Method& method : methods()) {
    names.emplace_back(method.name);
    what += fmt::format("  {:<26} {}\n", method.name, method.what);
  }
  task.option("--task", options->task, "MNIST with noise, or CIFAR-10").one_of({"digits", "cifar10"});
  task.option("--method", options->method, "see below").one_of(names);
  task.option("--data", options->data,
              "the folder of experiments/frost/fetch_images.mjs; default: $ELASTANE_DATA/images")
      .type("FOLDER")
      .hide_default();
  task.option("--seed", options->training.seed, "of weights and batches");
  task.option("--steps", options->training.steps, "of the optimiser; 0: as the task needs").range(0, 1e6);
  task.option("--batch", options->training.batch, "images per step; 0: as the task needs").range(0, 4096);
  task.option("--rate", options->training.rate, "of the optimiser at its largest; 0: as the task needs").at_least(0);
  task.option("--width", options->training.width, "of h; 0: as the task needs").range(0, 1024);
  task.option("--lipschitz", options->lipschitz, "what a recursion contracts by; 0: as the method has it")
      .range(0, 0.999);
  task.option("--tests", options->limits.test, "test images").range(1, 10'000);
  task.option("--journal", options->journal, "append what the tests show to this file").type("FILE");
  task.option("--part", options->part, "of the study, for the journal").hide_default();
  task.option("-o,--output", options->output, "the model").type("FILE");
  task.footer(
      "Methods:\n" + what +
      "\nExamples:\n"
      "  elastane train images --task cifar10 --data build/images --seed 1 -o images_cifar10.safetensors\n"
      "  elastane train images --task digits --method literal_ranking --data build/images --journal frost.jsonl");
  task.action([=, &commands] { return run(*options, commands.record()); });
}

}  // namespace elastane::images
