#include "lab/protein_loop/repair.h"

#include <algorithm>
#include <cmath>

namespace elastane::protein_loop {
namespace {

CorrectorOptions one_levenberg_step() {
  CorrectorOptions options;
  options.metric = {.kind = Metric::native};
  options.retraction = {.domain = Domain::torus};
  options.trust = {.trials = 2};
  options.gate = {.kind = Gate::always, .depth = 1};
  return options;
}

// fewer flaws first, then less energy
bool is_better(const RepairReport& a, const RepairReport& b) {
  if (a.closed != b.closed) return a.closed;
  const int flaws = a.clashes + a.disallowed, others = b.clashes + b.disallowed;
  return flaws != others ? flaws < others : a.energy < b.energy;
}

}  // namespace

LoopRepair::LoopRepair(const Energy& energy, const RepairOptions& options)
    : options_(options),
      objective_(energy),
      latent_(objective_),
      corrector_(one_levenberg_step(), latent_.latents(), latent_.outputs(), *kernels().value()),
      memory_(corrector_.memory_doubles()),
      y_(static_cast<std::size_t>(latent_.outputs())) {}

RepairReport LoopRepair::run(std::span<double> torsions, Random& random) {
  RepairReport best;
  Torsions start = {}, trial = {};
  const auto n = static_cast<std::size_t>(latent_.latents());
  std::copy_n(torsions.begin(), n, start.begin());
  run_once(torsions, best);
  double macs = best.macs;
  int starts = 1, steps = best.steps;
  for (; starts <= options_.restarts && !best.is_clean(); ++starts) {
    for (std::size_t t = 0; t < n; ++t) trial[t] = start[t] + options_.restart_spread * random.normal();
    RepairReport again;
    run_once(std::span(trial).first(n), again);
    macs += again.macs;
    steps += again.steps;
    if (!is_better(again, best)) continue;
    best = again;
    std::copy_n(trial.begin(), n, torsions.begin());
  }
  best.starts = starts;
  best.macs = macs;
  best.steps = steps;
  return best;
}

void LoopRepair::run_once(std::span<double> torsions, RepairReport& report) {
  corrector_.reset(memory_.data());
  const std::span<double> z = torsions.first(static_cast<std::size_t>(latent_.latents()));
  const RepairOptions& o = options_;

  damping_ = o.damping;
  for (int s = 0; s < o.closing; ++s) {
    if (step(z, {.wall = 0}, report) != After::progress || gap(z) < o.nearly) break;
  }
  damping_ = o.damping;
  for (int s = 0; s < o.raising; ++s) {
    const double up = std::min(1.0, static_cast<double>(s) / o.ramp);
    const After after = step(z, {.wall = std::pow(o.first_wall, 1 - up)}, report);
    if (after == After::stuck || (after == After::settled && up >= 1)) break;
  }
  damping_ = o.damping;
  for (int s = 0; s < o.firming && gap(z) > o.closed; ++s) {
    if (step(z, {.closure = o.firm}, report) == After::stuck) break;
  }
  assess(z, report);
}

LoopRepair::After LoopRepair::step(std::span<double> z, const Emphasis& emphasis, RepairReport& report) {
  objective_.emphasise(emphasis);
  latent_.set_damping(damping_);
  const StepReport did = corrector_.correct(latent_, objective_, Budget::none(), z, y_, memory_.data());
  ++report.steps;
  report.accepted += did.accepted;
  report.macs += static_cast<double>(did.total_macs());
  if (did.stop == Stop::converged || did.stop == Stop::zero_gradient) return After::settled;
  const double factor = did.accepted == 0 ? options_.after_rejected
                        : did.alpha < 1   ? options_.after_partial
                                          : options_.after_full;
  damping_ = std::max(options_.min_damping, damping_ * factor);
  if (damping_ > options_.max_damping || did.stop == Stop::not_finite || did.stop == Stop::singular) {
    return After::stuck;
  }
  const bool gained = did.loss_before - did.loss_after > options_.settled * (1 + std::fabs(did.loss_after));
  return did.accepted > 0 && !gained ? After::settled : After::progress;
}

void LoopRepair::assess(std::span<const double> z, RepairReport& report) {
  objective_.emphasise({});
  const EnergyPoint& point = objective_.point_at(z);
  report.energy = point.terms.total();
  report.gap = point.gap_length();
  report.closed = report.gap <= options_.closed;
  report.clashes = objective_.energy().clashes(point.conformation);
  report.disallowed = objective_.energy().disallowed(z);
  report.macs += static_cast<double>(objective_.energy().evaluation_macs(point));
}

}  // namespace elastane::protein_loop
