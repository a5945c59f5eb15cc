// Corrected steps of a model towards a target that drifts, timed verb by verb.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bench/timing.h"
#include "elastane/core/stream/stream.h"

namespace elastane::bench {

// One selective block whose state is the whole latent; no norm and no residual, so that the decoder is the head alone:
// latents → 2·latents → 16. `narrow` keeps the encoder and the head small instead, so that all but the latent stays as
// it is: latents → 16 → 64 → 16.
ModelConfig drift_model(int latents, bool narrow = false);

// gate always, one micro-step
CorrectorOptions drift_corrector(Metric metric, int rank, int horizon);

struct CorrectedRun {
  Timed advance, anticipate, correct;  // correct after anticipate
  Timed step;                          // all of it in one call, nothing anticipated
  std::array<double, kStages> stages;  // median of each stage of that
  std::int64_t macs = 0;               // of one such step, counted, median
  double accepted = 0;                 // share of the corrections
  Metric took = Metric::automatic;
  int steps = 0;
};
// steps: 0 for about a third of a second
CorrectedRun run_corrected(const Model& model, const CorrectorOptions& options, int steps);

// the outputs of whole steps, one after the other, and whether each was accepted
struct CorrectedOutputs {
  std::vector<float> outputs;
  std::vector<std::uint8_t> accepted;
};
CorrectedOutputs corrected_outputs(const Model& model, const CorrectorOptions& options, int steps);

}  // namespace elastane::bench
