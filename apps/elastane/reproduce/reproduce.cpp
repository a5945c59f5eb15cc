#include "apps/elastane/reproduce/reproduce.h"

#include <fmt/format.h>

#include <functional>
#include <memory>

#include "apps/elastane/verbs.h"
#include "command_line/aligned_table.h"
#include "command_line/messages.h"
#include "lab/benchmark/reproduce.h"
#include "lab/registry.h"

namespace elastane::app {
namespace {

using TrainingCalls = std::function<std::vector<std::vector<std::string>>()>;

// --train: the weights are trained before the table is made
void declare_training(command_line::Command& command, const TrainingCalls& calls) {
  auto wanted = std::make_shared<bool>(false);
  command.flag("--train", *wanted, "train the weights first (elastane train)");
  command.before([wanted, calls] {
    if (!*wanted) return;
    for (const auto& arguments : calls()) call_training(arguments);
  });
}

void add_benchmark(command_line::Command& verb, const lab::BenchmarkEntry& entry) {
  struct Options {
    benchmark::ReproduceOptions run;
    std::string models = "models";
  };
  auto options = std::make_shared<Options>();
  command_line::Command& command = verb.command(entry.name, entry.what);
  benchmark::declare(command, options->run);
  command.option("--agents", options->run.agents, "agents to run (default: all); the reference is always included");
  command.flag("--grid", options->run.grid, "run one agent with many settings, the budget grid, instead of the agents");
  command.option("--models", options->models, "folder of the weights").type("DIR");
  if (entry.training) declare_training(command, [&entry, options] { return entry.training(options->models); });
  command.action([options, &entry, &command] {
    benchmark::choose_journal(entry.name, options->run);
    options->run.command = command.line();
    return benchmark::reproduce(*entry.open(options->models).value(), options->run);
  });
}

int print_list() {
  command_line::AlignedTable table{.header = {"name", "what it shows", "cost"}, .left = 3};
  for (const lab::BenchmarkEntry* entry : lab::benchmarks()) {
    table.rows.push_back({entry->name, entry->what, entry->cost});
  }
  for (const lab::Reproduction* entry : lab::reproductions()) {
    table.rows.push_back({entry->name, entry->what, entry->cost});
  }
  fmt::print("{}", table.text());
  return 0;
}

constexpr const char* kNotes =
    "Examples:\n"
    "  elastane reproduce --list\n"
    "  elastane reproduce navigation --json navigation.json\n"
    "  elastane reproduce navigation --agents exact,literal --seeds 2 --episodes 64\n"
    "  elastane reproduce esm --seeds 5 --json esm.json --figure esm.svg\n"
    "  elastane reproduce peptide --threads 1 --markdown experiments/peptide/results.md\n"
    "  elastane reproduce navigation --grid --journal grid.jsonl\n\n"
    "elastane reproduce NAME --help lists the options of a table. After an interruption, rerun the same command to\n"
    "resume; at most the current blocks of 16 episodes are lost. A finished run prints its tables at once. More "
    "seeds,\n"
    "episodes or agents add to a journal; a journal of other weights, another version or another number of threads is\n"
    "refused. Exit code after a signal: 130 or 143.";

}  // namespace

void add_reproduce(command_line::Command& program) {
  command_line::Command& verb = program.command("reproduce", "The tables of papers and experiments, by name");
  auto list = std::make_shared<bool>(false);
  verb.flag("--list", *list, "the names, what each table shows, and what it costs on two cores");
  verb.action([list] {
    if (*list) return print_list();
    command_line::print_stderr("elastane: reproduce: expected a NAME, or --list\n");
    return 2;
  });
  for (const lab::BenchmarkEntry* entry : lab::benchmarks()) add_benchmark(verb, *entry);
  for (const lab::Reproduction* entry : lab::reproductions()) {
    command_line::Command& command = verb.command(entry->name, entry->what);
    entry->declare(command);
    if (entry->training) declare_training(command, entry->training);
  }
  verb.footer(kNotes);
}

}  // namespace elastane::app
