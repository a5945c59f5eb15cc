#include "elastane/worlds/protein_loop/repair.h"

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
  double madds = best.madds;
  int starts = 1, steps = best.steps;
  for (; starts <= options_.restarts && !best.is_clean(); ++starts) {
    for (std::size_t t = 0; t < n; ++t) trial[t] = start[t] + options_.restart_spread * random.normal();
    RepairReport again;
    run_once(std::span(trial).first(n), again);
    madds += again.madds;
    steps += again.steps;
    if (!is_better(again, best)) continue;
    best = again;
    std::copy_n(trial.begin(), n, torsions.begin());
  }
  best.starts = starts;
  best.madds = madds;
  best.steps = steps;
  return best;
}

void LoopRepair::run_once(std::span<double> torsions, RepairReport& report) {
  corrector_.reset(memory_.data());
  double damping = options_.damping;
  const std::span<double> z = torsions.first(static_cast<std::size_t>(latent_.latents()));
  int since = 0;  // steps with walls
  for (int step = 0; step < options_.steps; ++step) {
    const bool closing = since == 0 && step < options_.closing &&
                         (step == 0 || objective_.last().gap_length() > options_.nearly);
    const double up = std::min(1.0, static_cast<double>(since) / options_.ramp);
    objective_.emphasise({.closure = since >= options_.firm_from ? options_.firm : 1.0, .wall = closing ? 0 : std::pow(options_.first_wall, 1 - up)});
    if (!closing && since == 0) damping = options_.damping;
    if (!closing) ++since;
    if (options_.damping_share > 0 && step == 0) damping = options_.damping_share * objective_.value(z);
    latent_.set_damping(damping);
    const StepReport did = corrector_.correct(latent_, objective_, Budget::none(), z, y_, memory_.data());
    ++report.steps;
    report.accepted += did.accepted;
    report.madds += static_cast<double>(did.total_madds());
    if (did.stop == Stop::converged || did.stop == Stop::zero_gradient) {
      if (up >= 1) break;
      continue;
    }
    const bool taken = did.accepted > 0;
    damping = std::max(options_.least_damping, damping * (taken ? options_.easier : options_.harder));
    if (damping > options_.most_damping) { if (closing) {since = 1; damping = options_.damping;} else break; }
    const bool settled = taken && did.loss_before - did.loss_after < options_.settled * (1 + did.loss_after);
    if (up >= 1 && settled && objective_.last().gap_length() < options_.closed) break;
  }
  judge(z, report);
}

void LoopRepair::judge(std::span<const double> z, RepairReport& report) {
  objective_.emphasise({});
  const EnergyPoint& point = objective_.seen_at(z);
  report.energy = point.terms.total();
  report.gap = point.gap_length();
  report.closed = report.gap <= options_.closed;
  report.clashes = objective_.energy().clashes(point.conformation);
  report.disallowed = objective_.energy().disallowed(z);
  report.madds += static_cast<double>(objective_.energy().evaluation_madds(point));
}

}  // namespace elastane::protein_loop
