// An episode of a peptide as a page can show it: the chain, and how each agent moved it.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "lab/benchmark/recording.h"
#include "lab/peptide/roster.h"

namespace elastane::peptide {

// what somebody may want of the episode, as it was typed
struct Wanted {
  std::string sequence = {};                       // one letter a residue; empty: the episode's own
  std::optional<std::array<int, 2>> contact = {};  // residues from 1, as in PDB files; none: the episode's two
};

// the same for equal networks, requests and wishes
Result<benchmark::PeptideRecording> record(const Networks& networks, const benchmark::RecordingRequest& request,
                                           const Wanted& wanted = {});

// where the last agent left the chain, as a PDB file
Result<std::string> last_structure(const benchmark::PeptideRecording& recording);

}  // namespace elastane::peptide
