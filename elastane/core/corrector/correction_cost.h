// Counted multiply-adds of a correction's parts, each at most; the virtual clock goes by them.
#pragma once

#include <cstdint>

#include "elastane/core/corrector/corrector_options.h"
#include "elastane/core/corrector/latent_model.h"

namespace elastane {

class Geometry;

struct CorrectionCost {
  CorrectionCost(const CorrectorOptions& options, const Geometry& geometry, const LatentCost& latent);

  std::int64_t push, pull;          // J v, Jᵀs
  std::int64_t anticipated_metric;  // what the metric does before the observation
  std::int64_t anticipated;         // with y and the rollout: all that needs no observation
  std::int64_t bend;                // a trial's second-order term
  std::int64_t micro_step;
};

}  // namespace elastane
