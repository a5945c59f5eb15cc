#include "lab/protein_loop/window_agent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elastane::protein_loop {
namespace {

// While the gap is 1 Å or more, walls have a twentieth of their weight: it is closed through them first.
constexpr double kOpen = 1, kWallWhenOpen = 0.05;
constexpr double kClosed =
    0.01;  // share of kOpen below which walls have full weight: the last evaluated energy is then the corrected one

}  // namespace

Emphasis emphasis_at(double gap) {
  const double open = std::min(1.0, gap / kOpen);
  return {.wall = open < kClosed ? 1.0 : std::pow(kWallWhenOpen, open)};
}

WindowAgent::WindowAgent(const WindowAgentOptions& options) : options_(options), x_(kInputs), random_(options.seed) {
  y_.resize(kTorsions);
  if (options.network != nullptr) stream_.emplace(*options.network);
  if (!options.corrector) return;
  corrector_.emplace(*options.corrector, kTorsions, kTorsions, *kernels().value(), options.metric, options.gate);
  memory_.resize(corrector_->memory_doubles());
  trial_.emplace(*options.corrector, kTorsions, kTorsions, *kernels().value(), options.metric);
  for (int depth = 0; options.oracle_price >= 0 && depth <= options.corrector->gate.depth; ++depth) {
    CorrectorOptions fixed = *options.corrector;
    fixed.gate = {.kind = depth == 0 ? Gate::never : Gate::always, .depth = std::max(1, depth)};
    fixed_.emplace_back(fixed, kTorsions, kTorsions, *kernels().value(), options.metric);
  }
}

void WindowAgent::begin() {
  if (stream_) stream_->reset();
  if (corrector_) corrector_->reset(memory_.data());
  random_ = Random(options_.seed);
}

WindowReport WindowAgent::step(const Energy& energy, Torsions& torsions) {
  if (!objective_) {
    objective_.emplace(energy);
    latent_.emplace(*objective_, options_.curvature);
    latent_->set_damping(options_.damping);
  }
  objective_->begin(energy);
  WindowReport report;
  Torsions before = torsions;
  const std::span<double> z = std::span(torsions).first(kTorsions);
  report.before = report.after = whole_energy(z);
  if (stream_) propose(energy, z, report);
  if (corrector_) correct(z, report);
  if (options_.restarts > 0) restart(z, report);
  report.after = whole_energy(z);
  report.moved = !std::equal(before.begin(), before.end(), torsions.begin());
  return report;
}

double WindowAgent::whole_energy(std::span<const double> z) {
  objective_->emphasise({});
  return objective_->value(z);
}

double WindowAgent::evaluation_macs() const {
  return static_cast<double>(objective_->energy().evaluation_macs(objective_->last()));
}

// a proposal that makes the window worse is rejected, for all networks alike
void WindowAgent::propose(const Energy& energy, std::span<double> z, WindowReport& report) {
  observe(energy, objective_->last(), x_);
  const AdvanceReport advanced = stream_->advance(x_, kTimeStep);
  report.macs += evaluation_macs() + static_cast<double>(latent_->cost().vjp + advanced.macs);
  std::array<double, kTorsions> proposal;
  for (std::size_t t = 0; t < kTorsions; ++t) {
    proposal[t] = protein_chain::wrapped(z[t] + kMove * static_cast<double>(stream_->output()[t]));
  }
  const double now = report.before, then = whole_energy(proposal);
  report.macs += evaluation_macs();
  if (then < now) std::copy(proposal.begin(), proposal.end(), z.begin());
}

void WindowAgent::weaken_walls(std::span<const double> z) {
  whole_energy(z);
  objective_->emphasise(emphasis_at(objective_->last().gap_length()));
}

void WindowAgent::correct(std::span<double> z, WindowReport& report) {
  weaken_walls(z);
  // the proposal was evaluated already; with full walls, that is the corrector's first evaluation
  const double counted = stream_ && objective_->last().gap_length() < kClosed * kOpen ? evaluation_macs() : 0;
  if (depth_observer_) {
    trial_->run(*latent_, *objective_, z, memory_.data(),
                [&](int depth, std::span<const double> there, std::span<const double>) {
                  const double cost = static_cast<double>(corrector_->micro_step_macs(latent_->cost()));
                  depth_observer_(depth, objective_->energy().evaluate(there, {}, *scratch_), depth * cost);
                });
  }
  Corrector& corrector = fixed_.empty() ? *corrector_ : fixed_[static_cast<std::size_t>(best_depth(z))];
  report.correction = corrector.correct(*latent_, *objective_, Budget::none(), z, y_, memory_.data());
  report.depth += report.correction.depth;
  report.accepted += report.correction.accepted;
  report.kappa = report.correction.kappa;
  report.macs += static_cast<double>(report.correction.total_macs()) - counted;
}

int WindowAgent::best_depth(std::span<const double> z) {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  trial_->run(
      *latent_, *objective_, z, memory_.data(), [&](int depth, std::span<const double> there, std::span<const double>) {
        const double total = objective_->energy().evaluate(there, {}, *scratch_) + options_.oracle_price * depth;
        if (total < least) least = total, best = depth;
      });
  return best;
}

void WindowAgent::restart(std::span<double> z, WindowReport& report) {
  std::array<double, kTorsions> from, trial;
  std::copy(z.begin(), z.end(), from.begin());
  double least = whole_energy(z);
  for (int n = 0; n < options_.restarts && least > options_.restart_above; ++n) {
    for (std::size_t t = 0; t < kTorsions; ++t) trial[t] = from[t] + options_.restart_spread * random_.normal();
    correct(trial, report);
    const double energy = whole_energy(trial);
    report.macs += evaluation_macs();
    if (energy >= least) continue;
    least = energy;
    std::copy(trial.begin(), trial.end(), z.begin());
  }
}

}  // namespace elastane::protein_loop
