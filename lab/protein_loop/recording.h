// A recorded pass over a damaged protein: positions of all residues, and where micro-steps were spent.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/protein_loop/environment.h"
#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {

struct LoopStep {
  benchmark::Moment moment;
  std::vector<Vec3> trace;  // CA of every residue after the step, Å
  double gap = 0;           // the widest one of the chain, Å
};

struct LoopAgent {
  benchmark::Caption caption;
  std::vector<LoopStep> steps;
};

// a protein with one bent loop, and agents that pass over it
struct LoopRecording final : benchmark::Recording {
  using Recording::Recording;
  std::vector<benchmark::Caption> captions() const override { return benchmark::captions_of(agents); }
  Status validate() const override;
  std::string json() const override;
  std::vector<std::string> scripts() const override { return {"superpose", "chain", "protein_loop"}; }
  std::string figure() const override;

  std::string sequence;  // one letter per residue
  int loop_first = 0, loop_last = 0;
  int lead = 0;              // the residue that step 0 counts for; the next step counts for the next residue
  std::vector<Vec3> native;  // CA before the loop was bent
  std::vector<LoopAgent> agents;
};

// the same for equal networks and requests
Result<LoopRecording> record(const Networks& networks, const benchmark::RecordingRequest& request);

// the user's protein as one agent left it
struct LoopResult {
  std::string by;
  Protein protein;
  double rmsd;            // Å off the file's loop
  Assessment assessment;  // of the stretch that was passed over
};
struct CustomLoopRecording {
  LoopRecording recording;
  std::vector<LoopResult> results;  // in ideal geometry, bent, then by each agent
};
// a loop of the user's protein, bent as custom_loop.h does
Result<CustomLoopRecording> record_custom_loop(const Networks& networks, const benchmark::RecordingRequest& request,
                                               const Protein& protein, const Window& loop);

}  // namespace elastane::protein_loop
