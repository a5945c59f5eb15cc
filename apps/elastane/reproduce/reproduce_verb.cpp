// elastane reproduce: options and help; reproduce.cpp does it.
#include <fmt/format.h>

#include <cstdlib>

#include "apps/elastane/reproduce/benchmarks.h"
#include "apps/elastane/reproduce/reproduce.h"
#include "apps/elastane/verbs.h"

namespace elastane::app {
namespace {

constexpr const char* kEsm = "esm";  // several worlds in one table

struct Given {
  ReproduceOptions options;
  std::string world, models = "models";
  bool train = false;
};

void run(Given given) {
  if (given.options.journal.empty()) given.options.journal = fmt::format("reproduce-{}.jsonl", given.world);
  if (given.options.journal == "none") given.options.journal.clear();
  const bool esm = given.world == kEsm;
  if (esm && (given.options.grid || !given.options.agents.empty())) {
    throw std::runtime_error(
        "[reproduce] esm: expected no --agents and no --grid, for it is a table of all; name one of its worlds (maze, "
        "protein_loop)");
  }
  if (!esm && !given.options.figure.empty()) {
    throw std::runtime_error(
        "[reproduce] figure: expected esm, which has one; see elastane play for pictures of worlds");
  }
  if (given.train) {
    for (const std::string& world : esm ? std::vector<std::string>{"maze", "protein_loop"} : std::vector{given.world}) {
      for (const auto& arguments : training_of(world, given.models)) call_training(arguments);
    }
  }
  const int code = esm ? reproduce_esm(given.models, given.options)
                       : reproduce(*open_benchmark(given.world, given.models), given.options);
  if (code != 0) std::exit(code);
}

}  // namespace

void add_reproduce(CLI::App& app, const std::string& command) {
  auto given = std::make_shared<Given>();
  ReproduceOptions& o = given->options;
  o.command = command;
  CLI::App* verb = app.add_subcommand("reproduce", "The paper's table of a world: every agent on the same episodes");
  std::vector<std::string> worlds = benchmark_names();
  worlds.emplace_back(kEsm);
  verb->add_option("WORLD", given->world, "which")->required()->check(CLI::IsMember(worlds));
  verb->add_option("--seeds", o.seeds, "how many")->check(CLI::Range(1, 10'000))->capture_default_str();
  verb->add_option("--first-seed", o.first_seed, "the first of them")->capture_default_str();
  verb->add_option("--episodes", o.episodes, "of each seed (default: 256; esm: 1024, 256, 256, 64 of its four worlds)")
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option("--agents", o.agents, "who takes part, and frozen, the reference (all, if none is named)")
      ->delimiter(',');
  verb->add_flag("--grid", o.grid, "the budget grid over (λ, r, β), in mazes over prices, instead of the agents");
  verb->add_option("--threads", o.threads, "that play; 1 for undisturbed times")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_option("--models", given->models, "folder of the weights")->type_name("DIR")->capture_default_str();
  verb->add_flag("--train", given->train, "learn the weights first (elastane train WORLD)");
  verb->add_option("--journal", o.journal,
                   "what was played is kept here and not played again (default: reproduce-WORLD.jsonl; none: nowhere)")
      ->type_name("FILE");
  verb->add_flag("--fresh", o.fresh, "remove an old journal first");
  verb->add_option("--json", o.json, "write the rows to this file, as a JSON list")->type_name("FILE");
  verb->add_option("--markdown", o.markdown, "write the tables to this file")->type_name("FILE");
  verb->add_option("--figure", o.figure, "esm: draw success against compute to this file, as SVG")->type_name("FILE");
  verb->footer(
      "Examples:\n"
      "  elastane reproduce navigation --json navigation.json\n"
      "  elastane reproduce navigation --agents exact,literal --seeds 2 --episodes 64\n"
      "  elastane reproduce esm --seeds 5 --json esm.json --figure esm.svg\n"
      "  elastane reproduce peptide --threads 1 --markdown experiments/peptide/results.md\n"
      "  elastane reproduce navigation --grid --journal grid.jsonl\n\n"
      "In navigation a crate is dragged onto the way. The settings of \"when the latent wins\": navigation_moving\n"
      "(patrols), navigation_drifting (wind, a weak drive), navigation_blind (rays fail), and navigation_still.\n"
      "esm is the table of Elastic State Models: mazes of three sizes and protein loops, joined agent by agent, and "
      "the\n"
      "curve of success against compute (maze --grid: its agents one by one).\n\n"
      "Ctrl-C, or worse, loses the blocks of 16 episodes that were being played: the same command goes on, and a\n"
      "finished run prints its tables at once. More seeds, episodes or agents add to a journal; other weights, "
      "another\n"
      "version or number of threads are another run, and are refused. Exit code after a signal: 130 or 143.");
  verb->callback([given] { run(*given); });
}

}  // namespace elastane::app
