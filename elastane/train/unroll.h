// Training through the corrector: its micro-steps in the graph, over batches of streams.
//
//   const UnrollOptions options{.metric = Metric::learned, .damping = 0.1, .depth = 2};
//   const Unrolled run = unroll(model, {.x = x}, targets, model.start(batch), options);
//   (run.y - truth).square().mean().backward();         // through every micro-step: blocks, head, G
//   Stream stream(core, {.corrector = corrector_of(options), .noise = options.noise});   // does the same
//
// Moves and names are those of core/corrector/correction_run.cpp, with horizon 1, the first-order retraction and a
// constant radius.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "elastane/train/sequence_model.h"

namespace elastane::train {

struct UnrollOptions {
  Metric metric = Metric::exact;  // or euclidean, or learned
  double damping = 1e-3;          // λ, never relative: a unit that follows the stream would be one more state
  StepLength length = StepLength::line;
  double step = 1.0;                  // α₀
  double radius = 0.5;                // ρ
  int depth = 1;                      // K
  double drift = 0;                   // β of β(z⁰ − z), which is added to every micro-step                (ESM)
  bool accept = true;                 // refuse what does not gain enough; the choice itself has no derivative
  double low = 0.25;                  // η below which a step is refused
  int trials = 3;                     // α, α/2, α/4
  std::vector<float> noise = {1.0F};  // σ of targets, one for all channels or one for each
};

// the corrector of a stream that does the same
CorrectorOptions corrector_of(const UnrollOptions& options);

struct Corrected {
  //                     meaning                                              shape
  SequenceState state;  // with what was accepted
  at::Tensor y;         // its outputs                                         (batch, outputs)
  at::Tensor outputs;   // before the first micro-step, and after every one    (batch, K + 1, outputs)
  at::Tensor losses;    // ℓ of those, double                                  (batch, K + 1)
  at::Tensor kappa;     // κ = gᵀG⁻¹g where a micro-step began, double         (batch, K)
  at::Tensor alpha;     // step taken, 0 where it was refused, double          (batch, K)
};

// The state after a step, corrected towards a target (batch, outputs): ℓ = ½Σ(y − t)²/σ². What is not finite in it is
// missing; a stream without a target stays as it is.
Corrected corrected(const SequenceModel& model, const SequenceState& state, const at::Tensor& target,
                    const UnrollOptions& options = {});

struct Unrolled {
  //                      meaning                                             shape
  at::Tensor proposed;  // outputs before a step's correction                  (batch, length, outputs)
  at::Tensor y;         // and after it                                        (batch, length, outputs)
  at::Tensor outputs;   // at every depth, for a mean over depths (ESM)        (batch, length, K + 1, outputs)
  at::Tensor losses;    // ℓ at every depth, double                            (batch, length, K + 1)
  at::Tensor kappa;     // double                                              (batch, length, K)
  at::Tensor alpha;     // double                                              (batch, length, K)
  at::Tensor depth;     // micro-steps taken, int64                            (batch, length)
  SequenceState state;  // after the last step; detach it where back-propagation ends
};

// Step by step: predict, correct, continue from there. targets: (batch, length, outputs)
Unrolled unroll(const SequenceModel& model, const Sequences& sequences, const at::Tensor& targets,
                const SequenceState& start, const UnrollOptions& options = {});

}  // namespace elastane::train
