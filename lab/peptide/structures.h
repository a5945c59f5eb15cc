// Structures of successful episodes as PDB files, for other programs (experiments/peptide/judge).
#pragma once

#include <string>
#include <vector>

#include "lab/peptide/tuning.h"

namespace elastane::peptide {

// the chain at the step that made an episode of the entry a success; empty without success. agent: nullptr for the oracle
std::string final_structure(const DrawnEpisode& drawn, const std::string& title, Agent* agent);

// one file per success, AGENT_SEED_EPISODE.pdb in the folder
void write_structures(const TuningOptions& options, const std::string& folder);

}  // namespace elastane::peptide
