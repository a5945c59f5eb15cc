// Construction of a corrector, which allocates its parts.
#include "elastane/core/corrector/corrector.h"
#include "elastane/core/corrector/corrector_parts.h"

namespace elastane {

Corrector::Corrector(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
                     const LearnedMetric& learned, const LearnedGate& gate)
    : options_(options),
      parts_(Owned<CorrectorParts>::make(Geometry(options.metric, latents, outputs, k, learned),
                                         Gatekeeper(options.gate, latents, gate),
                                         Arena<CorrectionArrays>(latents, outputs, options.trust.horizon))) {
  options_.gate = parts_->gatekeeper.options();
}

}  // namespace elastane
