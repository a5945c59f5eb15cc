#include "lab/peptide/reproductions.h"

#include <cstdio>

#include "lab/peptide/endless_run.h"
#include "lab/peptide/structures.h"

namespace elastane::peptide {
namespace {

void print(const std::string& line) {
  std::fputs(line.c_str(), stdout);
  std::fflush(stdout);
}

void declare_common(TuningOptions& options, command_line::Command& command) {
  command.option("--models", options.models, "folder of the trained networks").type("DIR");
  command.option("--seed", options.seed, "seed of the episodes");
  command.option("--episodes", options.episodes, "number of episodes").range(1, 100'000);
  command.option("--only", options.only, "agents to run (default: all)").type("NAMES");
}

void declare_tuning(command_line::Command& command) {
  auto options = std::make_shared<TuningOptions>();
  declare_common(*options, command);
  command.action([options] {
    tune(*options, print);
    return 0;
  });
}

void declare_preview(command_line::Command& command) {
  auto options = std::make_shared<TuningOptions>();
  declare_common(*options, command);
  command.action([options] {
    preview(*options, print);
    return 0;
  });
}

void declare_structures(command_line::Command& command) {
  auto options = std::make_shared<TuningOptions>();
  auto folder = std::make_shared<std::string>("structures");
  declare_common(*options, command);
  command.option("--folder", *folder, "where the PDB files are written").type("DIR");
  command.action([options, folder] {
    write_structures(*options, *folder);
    return 0;
  });
}

void declare_endless(command_line::Command& command) {
  auto options = std::make_shared<EndlessOptions>();
  command.option("--models", options->models, "folder of the trained networks").type("DIR");
  command.option("--agent", options->agent, "an agent of elastane reproduce peptide").type("NAME");
  command.option("--seed", options->seed, "seed of the chain, its contacts and the noise");
  command.action([options] {
    run_endlessly(*options, print);
    return 0;
  });
}

}  // namespace

std::vector<lab::Reproduction> reproductions() {
  return {
      {"peptide_tuning", "every setting of the tuning grid, on validation episodes", "2 hours", declare_tuning},
      {"peptide_preview", "the peptide table for one seed, without statistics", "1 minute", declare_preview},
      {"peptide_structures", "final structures of successful episodes, as PDB files", "1 minute", declare_structures},
      {"peptide_endless", "time of a step over a million steps without a reset", "15 minutes", declare_endless}};
}

}  // namespace elastane::peptide
