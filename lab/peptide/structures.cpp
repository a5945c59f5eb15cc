#include "lab/peptide/structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "lab/peptide/pdb.h"
#include "lab/peptide/run_episode.h"

namespace elastane::peptide {

std::string final_structure(const DrawnEpisode& drawn, const std::string& title, Agent* agent) {
  std::string pdb;
  int held = 0;
  const auto observer = [&](const Step& step) {
    // the second contact decides, once it has been held
    const bool met = step.contact == drawn.episode.second && step.environment.step() > drawn.episode.changes() &&
                     step.distance <= kContact && step.environment.is_clean();
    held = met ? held + 1 : 0;
    if (held != kHold) return;
    pdb = to_pdb(step.environment.energy().chain(), step.environment.point().conformation, title);
  };
  return run_episode(drawn, agent, observer).success ? pdb : "";
}

void write_structures(const TuningOptions& options, const std::string& folder) {
  const Networks networks = load_networks(options.models).value();
  std::filesystem::create_directories(folder);
  for (const RosterEntry& entry : roster()) {
    if (!options.only.empty() && std::ranges::find(options.only, entry.name) == options.only.end()) continue;
    const auto agent = entry.oracle ? nullptr : make_agent(entry, networks);
    for (int n = 0; n < options.episodes; ++n) {
      const std::string pdb = final_structure(draw_episode(options.seed, n), entry.name, agent.get());
      if (pdb.empty()) continue;
      std::ofstream(fmt::format("{}/{}_{}_{}.pdb", folder, entry.name, options.seed, n)) << pdb;
    }
  }
}

}  // namespace elastane::peptide
