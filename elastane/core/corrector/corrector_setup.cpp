// Construction of a corrector, which allocates its arrays.
#include "elastane/core/corrector/corrector.h"

namespace elastane {

Corrector::Corrector(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
                     const LearnedMetric& learned, const LearnedGate& gate)
    : options_(options),
      geometry_(options.metric, latents, outputs, k, learned),
      gatekeeper_(options.gate, latents, gate),
      arrays_(latents, outputs, options.trust.horizon) {
  options_.gate = gatekeeper_.options();
}

}  // namespace elastane
