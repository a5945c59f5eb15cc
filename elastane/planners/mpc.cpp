#include "elastane/planners/mpc.h"

#include <algorithm>

namespace elastane::planners {
namespace {

IlqrOptions as_ilqr(const MpcOptions& o) {
  return {.horizon = o.horizon, .sweeps = o.sweeps, .regularisation = o.regularisation};
}

}  // namespace

Status validate(const MpcOptions& options) { return validate(as_ilqr(options)); }

Mpc::Mpc(const MpcOptions& options, int states, int controls)
    : options_(options), ilqr_(as_ilqr(options), states, controls), controls_(options.horizon, controls) {}

void Mpc::reset() {
  controls_.fill(0);
  fresh_ = true;
  report_ = {};
}

void Mpc::start_from(ConstDoubleRows controls) {
  for (int h = 0; h < options_.horizon; ++h) std::copy_n(controls[h], controls_.columns(), controls_.row(h).begin());
  fresh_ = true;
}

std::span<const double> Mpc::plan(const Dynamics& dynamics, const StageCost& cost, std::span<const double> x) {
  // the last control is repeated for the step that enters the horizon
  if (!fresh_) std::ranges::copy(controls_.values().subspan(controls_.row(0).size()), controls_.values().begin());
  fresh_ = false;
  report_ = ilqr_.improve(dynamics, cost, x, controls_.view());
  return controls_.row(0);
}

}  // namespace elastane::planners
