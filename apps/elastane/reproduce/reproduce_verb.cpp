#include "apps/elastane/reproduce/reproduce_verb.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "apps/commit.h"
#include "apps/elastane/reproduce/reproduce.h"
#include "apps/elastane/verbs.h"
#include "lab/provenance.h"
#include "lab/registry.h"

namespace elastane::app {
namespace {

constexpr const char* kEsm = "esm";  // several worlds in one table

struct Given {
  ReproduceOptions options;
  std::string name, models = "models";
  bool train = false;
};

int run(Given given) {
  if (given.options.journal.empty()) given.options.journal = fmt::format("reproduce-{}.jsonl", given.name);
  if (given.options.journal == "none") given.options.journal.clear();
  const bool esm = given.name == kEsm;
  if (given.train) {
    for (const std::string& name : esm ? std::vector<std::string>{"maze", "protein_loop"} : std::vector{given.name}) {
      for (const auto& arguments : lab::find_benchmark(name).training(given.models)) call_training(arguments);
    }
  }
  return esm ? reproduce_esm(given.models, given.options)
             : reproduce(*lab::find_benchmark(given.name).open(given.models).value(), given.options);
}

void declare_common(command_line::Command& verb, Given& given) {
  ReproduceOptions& o = given.options;
  verb.option("--seeds", o.seeds, "how many").range(1, 10'000);
  verb.option("--first-seed", o.first_seed, "the first of them");
  verb.option("--episodes", o.episodes, "of each seed (default: 256; esm: 1024, 256, 256, 64 of its four worlds)")
      .range(1, 1'000'000)
      .hide_default();
  verb.option("--threads", o.threads, "that play; 1 for undisturbed times").range(1, 1024);
  verb.option("--models", given.models, "folder of the weights").type("DIR");
  verb.flag("--train", given.train, "learn the weights first (elastane train)");
  verb.option("--journal", o.journal,
              "finished episodes are kept here and not played again (default: reproduce-NAME.jsonl; none: not kept)")
      .type("FILE");
  verb.flag("--fresh", o.fresh, "remove an old journal first");
  verb.option("--json", o.json, "write the rows to this file, as a JSON list").type("FILE");
  verb.option("--markdown", o.markdown, "write the tables to this file").type("FILE");
}

void add(command_line::Command& group, const std::string& name, const std::string& what, const std::string& command) {
  auto given = std::make_shared<Given>();
  given->name = name;
  given->options.command = command;
  command_line::Command& verb = group.command(name, what);
  declare_common(verb, *given);
  if (name == kEsm) {
    verb.option("--figure", given->options.figure, "draw success against compute to this file, as SVG").type("FILE");
  } else {
    verb.option("--agents", given->options.agents, "agents to run (default: all); the reference is always included");
    verb.flag("--grid", given->options.grid, "the budget grid over (λ, r, β) or prices, instead of the agents");
  }
  verb.action([given] { return run(*given); });
}

}  // namespace

void add_reproduce(command_line::Command& program, const std::string& command) {
  lab::set_provenance({.command = command, .commit = commit()});
  command_line::Command& verb = program.command("reproduce", "The tables of papers and experiments, by name");
  for (const lab::BenchmarkEntry* entry : lab::benchmarks()) add(verb, entry->name, entry->what, command);
  add(verb, kEsm, "The table of Elastic State Models: mazes and protein loops", command);
  for (const lab::Reproduction* entry : lab::reproductions()) entry->declare(verb.command(entry->name, entry->what));
  verb.footer(
      "Examples:\n"
      "  elastane reproduce navigation --json navigation.json\n"
      "  elastane reproduce navigation --agents exact,literal --seeds 2 --episodes 64\n"
      "  elastane reproduce esm --seeds 5 --json esm.json --figure esm.svg\n"
      "  elastane reproduce peptide --threads 1 --markdown experiments/peptide/results.md\n"
      "  elastane reproduce navigation --grid --journal grid.jsonl\n\n"
      "After an interruption, rerun the same command to resume; at most the current blocks of 16 episodes are lost. A\n"
      "finished run prints its tables at once. More seeds, episodes or agents add to a journal; other weights, "
      "another\n"
      "version or number of threads are another run, and are refused. Exit code after a signal: 130 or 143.");
}

}  // namespace elastane::app
