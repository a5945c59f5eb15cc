// Real-time code only.
// What a metric costs per correction, in counted multiply-adds.
#include "elastane/core/metric/geometry.h"

namespace elastane {

Geometry::Cost Geometry::cost() const {
  const std::int64_t d = latents_, m = outputs_, r = rank_;
  switch (kind()) {
    case Metric::exact:
      if (in_outputs()) {
        return {.anticipated_vjp = outputs_,
                .anticipated = m * m * d / 2,
                .own = m * m * m / 6 + m * m + m * d,
                .trusted_own = m * m + m * d};
      }
      return {.anticipated_jvp = latents_, .own = d * d * m + d * d * d / 6 + d * d, .trusted_own = d * d};
    case Metric::kalman:
      return {.anticipated_vjp = outputs_,
              .own = m * d * d + m * m * d + m * m * m / 6 + 2 * m * m * d + m * d * d,
              .trusted_own = m * m + m * d};
    case Metric::conjugate_gradient:
      return {.jvp = options_.products + (options_.relative ? 1 : 0),
              .vjp = options_.products,
              .trusted = options_.products,
              .own = std::int64_t{options_.products} * 6 * d,
              .trusted_own = std::int64_t{options_.products} * 6 * d};
    case Metric::sketch:
    case Metric::fixed:
    case Metric::literal:
      return {.jvp = rank_,
              .vjp = rank_,
              .own = 2 * r * r * d + r * r * d + r * r * d + 4 * r * r * d / 2 + 2 * r * r * d + 9 * 8 * r * r * r +
                     3 * r * d,
              .trusted_own = kind() == Metric::literal ? 0 : 2 * r * d};
    case Metric::learned: {
      const std::int64_t rank = learned_.factor.count;
      return {.jvp = options_.relative ? 1 : 0, .own = d * (2 + 2 * rank + rank * rank)};
    }
    case Metric::native: return {};
    default: return {.jvp = options_.relative ? 1 : 0, .own = d};
  }
}

}  // namespace elastane
