// Construction of a corrector, which allocates its parts.
#include <string>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/corrector/corrector_parts.h"

namespace elastane {
namespace {

Status check(const CorrectorOptions& options, int latents, int outputs, const LearnedMetric& learned,
             const LearnedGate& gate) {
  if (latents < 1 || outputs < 1) {
    return Error{"[corrector] expected at least one latent and one output, found " + std::to_string(latents) + " and " +
                 std::to_string(outputs)};
  }
  if (options.metric.kind == Metric::learned && learned.diagonal == nullptr) {
    return Error{"[corrector] metric: expected the weights of a learned metric, found none; train one, or use another"};
  }
  if (options.gate.kind == Gate::learned) {
    if (!gate.present()) {
      return Error{"[corrector] gate: expected a learned gate, found none; load one, or use another kind of gate"};
    }
    ELASTANE_TRY(validate(gate));
  }
  return validate(options);
}

const CorrectorOptions& checked(const CorrectorOptions& options, int latents, int outputs, const LearnedMetric& learned,
                                const LearnedGate& gate) {
  check(options, latents, outputs, learned, gate).value();
  return options;
}

}  // namespace

Corrector::Corrector(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
                     const LearnedMetric& learned, const LearnedGate& gate)
    : options_(checked(options, latents, outputs, learned, gate)),
      parts_(Owned<CorrectorParts>::make(Geometry(options.metric, latents, outputs, k, learned),
                                         Gatekeeper(options.gate, latents, gate),
                                         Arena<CorrectionArrays>(latents, outputs, options.trust.horizon))) {
  options_.gate = parts_->gatekeeper.options();
  if (metric() != Metric::kalman) return;
  parts_->columns.resize(as_size(latents) * as_size(double_stride(latents)));
  parts_->product.resize(parts_->columns.size());
}

Result<Corrector> Corrector::create(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
                                    const LearnedMetric& learned, const LearnedGate& gate) {
  ELASTANE_TRY(check(options, latents, outputs, learned, gate));
  return Corrector(options, latents, outputs, k, learned, gate);
}

}  // namespace elastane
