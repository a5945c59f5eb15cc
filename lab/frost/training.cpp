#include "lab/frost/training.h"

#include <fmt/core.h>

#include <algorithm>

#include "elastane/io/model_file.h"
#include "lab/frost/changes.h"
#include "lab/frost/training_cells.h"

namespace elastane::frost {
namespace {

struct Options {
  std::string method = "recursion", output, journal, part;
  CellsTraining training;
  std::string task = "grid";
  std::vector<int> sizes = {};  // to test on
  int episodes = 0;
  std::uint64_t first_episode = kTestEpisodes;
};

// test sizes, and how many episodes of each
std::vector<CellsTest> tests_of(const Options& o) {
  std::vector<int> sizes = o.sizes;
  if (sizes.empty()) sizes = o.task == "grid" ? std::vector{8, 16, 24, 32} : std::vector{12, 24, 48};
  std::vector<CellsTest> tests;
  for (const int size : sizes) {
    const int usual = o.task == "grid" ? std::max(64, 1600 / size) : 256;
    tests.push_back({.size = size, .episodes = o.episodes > 0 ? o.episodes : usual, .first_seed = o.first_episode});
  }
  return tests;
}

void report(const benchmark::DepthRow& row) {
  fmt::print("{} {} size {} seed {}: solved {:.3f}, cells right {:.4f}", row.method, row.task, row.size, row.seed,
             row.solved, row.accuracy);
  if (row.mean_depth >= 0) {
    fmt::print(
        ", at three times the depth {:.4f}, depth {:.1f} of {:.1f}, rank correlation {:.3f}, {:.0f} certified classes "
        "differ at 1,000 iterations",
        row.accuracy_at_3t, row.mean_depth, row.oracle_depth, row.spearman, row.violations);
  }
  fmt::print("\n");
}

int run(const Options& o, const lab::TrainingRecord& record) {
  const Task task = parse_task(o.task);
  CellsTraining training = o.training;
  training.task = task;
  std::vector<benchmark::DepthRow> rows;
  if (o.method == "recursion") {
    const ModelFile file = train_recursion(training);
    if (!o.output.empty()) {
      save_model(o.output, file.config, file.tensors, {{"command", record.command}, {"commit", record.commit}}).value();
    }
    for (const CellsTest& test : tests_of(o)) rows.push_back(test_cells(file, task, test));
    if (task == Task::grid) std::ranges::copy(test_changes(file, {}), std::back_inserter(rows));
  } else {
    rows = train_rival(o.method, training, tests_of(o));
  }
  for (benchmark::DepthRow& row : rows) {
    if (row.part.empty()) row.part = o.part.empty() ? (task == Task::grid ? "mazes" : "parity") : o.part;
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
  command_line::Command& task = commands.add("frost", "Recursions in depth over grids and lines, and their rivals");
  task.option("--task", options->task, "which cells can be reached; parity of every prefix").one_of({"grid", "parity"});
  task.option("--method", options->method, "the recursion of the engine, or a rival")
      .one_of({"recursion", "free", "untied_maximum", "untied", "tied", "literal"});
  task.option("--seed", options->training.seed, "of weights and episodes");
  task.option("--steps", options->training.steps, "of the optimiser; 0: as the task needs").range(0, 1e6);
  task.option("--batch", options->training.batch, "episodes per step").range(1, 4096);
  task.option("--rate", options->training.rate, "of the optimiser at its largest; 0: as the method needs").at_least(0);
  task.option("--depth", options->training.depth, "iterations in training; 0: as the task needs").range(0, 4096);
  task.option("--sizes", options->sizes, "to test on (default: 8,16,24,32 or 12,24,48)").type("SIZES").hide_default();
  task.option("--episodes", options->episodes, "of every test; 0: as the size allows").range(0, 1e6);
  task.option("--first-episode", options->first_episode, "seed of the first episode of every test").hide_default();
  task.option("--journal", options->journal, "append what the tests show to this file").type("FILE");
  task.option("--part", options->part, "of the study, for the journal").hide_default();
  task.option("-o,--output", options->output, "the model").type("FILE");
  task.footer(
      "Examples:\n"
      "  elastane train frost --task grid --seed 1 -o frost_grid.safetensors\n"
      "  elastane train frost --task grid --method free --seed 1 --journal frost.jsonl\n"
      "  elastane train frost --task parity --seed 1 -o frost_parity.safetensors");
  task.action([=, &commands] { return run(*options, commands.record()); });
}

}  // namespace elastane::frost
