// Real-time code only.
#include "elastane/core/corrector/correction_cost.h"

#include "elastane/core/metric/geometry.h"

namespace elastane {

CorrectionCost::CorrectionCost(const CorrectorOptions& options, const Geometry& geometry, const LatentCost& latent) {
  const Geometry::Cost metric = geometry.cost();
  const std::int64_t d = geometry.work.sizes.latents, m = geometry.work.sizes.outputs;
  const std::int64_t ahead = options.trust.horizon - 1;
  const bool holds_jacobian = geometry.holds_jacobian();
  push = holds_jacobian ? d * m : latent.jvp;
  pull = holds_jacobian ? d * m : latent.vjp;
  anticipated_metric = metric.anticipated + metric.anticipated_jvp * latent.jvp + metric.anticipated_vjp * latent.vjp;
  anticipated = latent.read + latent.roll * ahead + anticipated_metric;
  bend = (options.retraction.kind == Retraction::christoffel ? latent.second : 0) + latent.vjp +
         metric.trusted * (latent.jvp + latent.vjp) + metric.trusted_own;

  const std::int64_t solve = metric.own + metric.jvp * latent.jvp + metric.vjp * latent.vjp +
                             (geometry.kind() == Metric::native ? latent.solve : 0);
  const std::int64_t model = pull + push + d + m + latent.roll_jvp * ahead;
  std::int64_t trial = latent.read + latent.roll * ahead;
  if (options.retraction.kind != Retraction::first_order) trial += bend + latent.read;
  micro_step = anticipated + solve + model + trial * options.trust.trials;
}

}  // namespace elastane
