// A pass over a damaged protein as a page can show it: where every residue is, and where micro-steps were spent.
#pragma once

#include "lab/benchmark/recording.h"
#include "lab/protein_loop/fold.h"
#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {

// the same for equal networks and requests
Result<benchmark::LoopRecording> record(const Networks& networks, const benchmark::RecordingRequest& request);

// a loop of somebody's own protein, as somebody left it
struct LoopLeft {
  std::string by;
  Protein protein;
  double rmsd;          // Å off the file's loop
  FoldVerdict verdict;  // of the stretch that was passed over
};
struct OwnRecording {
  benchmark::LoopRecording recording;
  std::vector<LoopLeft> left;  // as it was, bent, then by each agent
};
// bent as own_loop.h does
Result<OwnRecording> record_own(const Networks& networks, const benchmark::RecordingRequest& request,
                                const Protein& protein, const Window& loop);

}  // namespace elastane::protein_loop
