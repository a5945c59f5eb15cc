// What a correction takes, in counted multiply-adds; the virtual clock goes by it.
#include "elastane/core/corrector.h"

namespace elastane {

std::int64_t Corrector::anticipated_madds(const LatentCost& cost) const {
  const Geometry::Cost metric = geometry_.cost();
  return cost.read + cost.roll * ahead_.count + metric.anticipated + metric.anticipated_jvp * cost.jvp +
         metric.anticipated_vjp * cost.vjp;
}

std::int64_t Corrector::bend_madds(const LatentCost& cost) const {
  const Geometry::Cost metric = geometry_.cost();
  const bool christoffel = options_.retraction.kind == Retraction::christoffel;
  return (christoffel ? cost.second : 0) + cost.vjp + metric.trusted * (cost.jvp + cost.vjp) + metric.trusted_own;
}

std::int64_t Corrector::push_madds(const LatentCost& cost) const {
  return geometry_.holds_jacobian() ? std::int64_t{latents_} * outputs_ : cost.jvp;
}

std::int64_t Corrector::pull_madds(const LatentCost& cost) const {
  return geometry_.holds_jacobian() ? std::int64_t{latents_} * outputs_ : cost.vjp;
}

std::int64_t Corrector::micro_step_madds(const LatentCost& cost) const {
  const Geometry::Cost metric = geometry_.cost();
  const std::int64_t solve = metric.own + metric.jvp * cost.jvp + metric.vjp * cost.vjp +
                             (geometry_.kind() == Metric::native ? cost.solve : 0);
  const std::int64_t model = pull_madds(cost) + push_madds(cost) + latents_ + outputs_ + cost.roll_jvp * ahead_.count;
  std::int64_t trial = cost.read + cost.roll * ahead_.count;
  if (options_.retraction.kind != Retraction::first_order) trial += bend_madds(cost) + cost.read;
  return anticipated_madds(cost) + solve + model + trial * options_.trust.trials;
}

}  // namespace elastane
