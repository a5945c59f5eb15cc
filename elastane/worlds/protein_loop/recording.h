// A pass over a damaged protein as a page can show it: where every residue is, and where micro-steps were spent.
#pragma once

#include "elastane/worlds/contest/recording.h"
#include "elastane/worlds/protein_loop/agents.h"

namespace elastane::protein_loop {

// the same for equal networks and requests
Result<contest::LoopRecording> record(const Networks& networks, const contest::RecordingRequest& request);

}  // namespace elastane::protein_loop
