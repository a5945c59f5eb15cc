// Real-time code only.
// What a correction takes, in counted multiply-adds; the virtual clock goes by it.
#include <algorithm>

#include "elastane/core/corrector/corrector.h"

namespace elastane {

int Corrector::most_depth() const {
  // an observation counts once: a second micro-step would shrink the covariance by it again
  return metric() == Metric::kalman ? std::min(1, most_steps(options_.gate)) : most_steps(options_.gate);
}

std::int64_t Corrector::most_macs(const LatentCost& cost) const {
  const int most = most_depth();
  return gate_macs() + (most > 0 ? most * micro_step_macs(cost) : cost.read);
}

std::int64_t Corrector::anticipated_macs(const LatentCost& cost) const {
  const Geometry::Cost metric = geometry_.cost();
  return cost.read + cost.roll * ahead_.count + metric.anticipated + metric.anticipated_jvp * cost.jvp +
         metric.anticipated_vjp * cost.vjp;
}

std::int64_t Corrector::bend_macs(const LatentCost& cost) const {
  const Geometry::Cost metric = geometry_.cost();
  const bool christoffel = options_.retraction.kind == Retraction::christoffel;
  return (christoffel ? cost.second : 0) + cost.vjp + metric.trusted * (cost.jvp + cost.vjp) + metric.trusted_own;
}

std::int64_t Corrector::push_macs(const LatentCost& cost) const {
  return geometry_.holds_jacobian() ? std::int64_t{latents_} * outputs_ : cost.jvp;
}

std::int64_t Corrector::pull_macs(const LatentCost& cost) const {
  return geometry_.holds_jacobian() ? std::int64_t{latents_} * outputs_ : cost.vjp;
}

std::int64_t Corrector::micro_step_macs(const LatentCost& cost) const {
  const Geometry::Cost metric = geometry_.cost();
  const std::int64_t solve = metric.own + metric.jvp * cost.jvp + metric.vjp * cost.vjp +
                             (geometry_.kind() == Metric::native ? cost.solve : 0);
  const std::int64_t model = pull_macs(cost) + push_macs(cost) + latents_ + outputs_ + cost.roll_jvp * ahead_.count;
  std::int64_t trial = cost.read + cost.roll * ahead_.count;
  if (options_.retraction.kind != Retraction::first_order) trial += bend_macs(cost) + cost.read;
  return anticipated_macs(cost) + solve + model + trial * options_.trust.trials;
}

}  // namespace elastane
