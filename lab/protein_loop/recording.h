// A pass over a damaged protein as a page can show it: where every residue is, and where micro-steps were spent.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/protein_loop/fold.h"
#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {

using Vector3 = std::array<double, 3>;

struct LoopStep {
  benchmark::Moment moment;
  std::vector<Vector3> trace;  // CA of every residue after the step, Å
  double gap = 0;              // where the chain is most broken, Å
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

  std::string sequence;  // one letter a residue
  int loop_first = 0, loop_last = 0;
  int lead = 0;                 // the residue that step 0 is counted for; the next step, the next residue
  std::vector<Vector3> native;  // CA before the loop was bent
  std::vector<LoopAgent> agents;
};

// the same for equal networks and requests
Result<LoopRecording> record(const Networks& networks, const benchmark::RecordingRequest& request);

// a loop of somebody's own protein, as somebody left it
struct LoopLeft {
  std::string by;
  Protein protein;
  double rmsd;          // Å off the file's loop
  FoldVerdict verdict;  // of the stretch that was passed over
};
struct OwnRecording {
  LoopRecording recording;
  std::vector<LoopLeft> left;  // as it was, bent, then by each agent
};
// bent as own_loop.h does
Result<OwnRecording> record_own(const Networks& networks, const benchmark::RecordingRequest& request,
                                const Protein& protein, const Window& loop);

}  // namespace elastane::protein_loop
