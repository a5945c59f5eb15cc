// A pass over a damaged protein as a page can show it: where every residue is, and where micro-steps were spent.
#pragma once

#include "elastane/worlds/contest/recording.h"
#include "elastane/worlds/protein_loop/agents.h"
#include "elastane/worlds/protein_loop/fold.h"

namespace elastane::protein_loop {

// the same for equal networks and requests
Result<contest::LoopRecording> record(const Networks& networks, const contest::RecordingRequest& request);

// a loop of somebody's own protein, as somebody left it
struct LoopLeft {
  std::string by;
  Protein protein;
  double rmsd;          // Å off the file's loop
  FoldVerdict verdict;  // of the stretch that was passed over
};
struct OwnRecording {
  contest::LoopRecording recording;
  std::vector<LoopLeft> left;  // as it was, bent, then by each agent
};
// bent as own_loop.h does
Result<OwnRecording> record_own(const Networks& networks, const contest::RecordingRequest& request,
                                const Protein& protein, const Window& loop);

}  // namespace elastane::protein_loop
