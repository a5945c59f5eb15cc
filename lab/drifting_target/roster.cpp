#include "lab/drifting_target/roster.h"

namespace elastane::drifting_target {
namespace {

CorrectorOptions with(Metric kind) {
  CorrectorOptions options;
  options.metric.kind = kind;
  return options;
}

CorrectorOptions with_products(int products) {
  CorrectorOptions options = with(Metric::conjugate_gradient);
  options.metric.products = products;
  return options;
}

CorrectorOptions second_order(Metric kind) {
  CorrectorOptions options = with(kind);
  options.retraction.kind = Retraction::second_order;
  return options;
}

}  // namespace

std::vector<RosterEntry> make_roster() {
  CorrectorOptions none = with(Metric::euclidean), literal = with(Metric::literal);
  none.gate.kind = Gate::never;
  literal.metric.damping = 1e-3;
  return {{"exact", with(Metric::exact), true},
          {"conjugate_gradient", with_products(4), true},
          {"sketch", with(Metric::sketch), true},
          {"euclidean", with(Metric::euclidean), true},
          {"literal", literal, true},
          {"none", none, true},
          {"exact, second order", second_order(Metric::exact)},
          {"sketch, second order", second_order(Metric::sketch)},
          {"conjugate_gradient, k = 2", with_products(2)},
          {"conjugate_gradient, k = 8", with_products(8)},
          {"fixed", with(Metric::fixed)},
          {"latent_covariance", with(Metric::latent_covariance)}};
}

}  // namespace elastane::drifting_target
