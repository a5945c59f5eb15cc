#include "lab/peptide/expert.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/peptide/sequence.h"

namespace elastane::peptide {

Expert::Expert(const Energy& energy, const ExpertOptions& options, const MoveOptions& move)
    : energy_(&energy), options_(options), move_(energy, move), levenberg_(options.levenberg) {}

Plan Expert::plan(std::span<const double> torsions, const Contact& contact, int steps, Random& random) {
  Plan best, plan;
  best.price = std::numeric_limits<double>::infinity();
  const int plans = contact.is_requested() ? options_.plans : 1;
  for (int n = 0, clean = 0; n < plans && clean < options_.enough; ++n) {
    carry_out(torsions, contact, steps, n == 0 ? Hops{} : draw_hops(contact, random), best.price, plan);
    if (plan.met >= 0 && plan.clashes == 0) ++clean;
    if (plan.price < best.price) std::swap(best, plan);
    if (n == 0 && clean > 0) break;  // straight and clean: the same chain always does it, so it can be learned
  }
  return best;
}

// residues between those that should meet turn into a basin drawn from their own plot
Expert::Hops Expert::draw_hops(const Contact& contact, Random& random) const {
  Hops hops;
  hops.count = 1 + random.below(2);
  for (int h = 0; h < hops.count; ++h) {
    const int residue =
        std::clamp(contact.i + random.below(contact.j - contact.i + 1), 1, energy_->chain().residues() - 2);
    const Pair to = draw(energy_->chain().sequence().classes[static_cast<std::size_t>(residue)], random);
    hops.hop[static_cast<std::size_t>(h)] = {residue, to.phi, to.psi};
  }
  return hops;
}

// steps until the last hop has arrived
int Expert::steps_of(const Hops& hops, std::span<const double> at) const {
  int steps = 0;
  for (int h = 0; h < hops.count; ++h) {
    const Hop& hop = hops.hop[static_cast<std::size_t>(h)];
    const auto phi = static_cast<std::size_t>(2 * hop.residue - 1);
    const double far = std::max(std::fabs(wrapped(hop.phi - at[phi])), std::fabs(wrapped(hop.psi - at[phi + 1])));
    steps = std::max(steps, static_cast<int>(std::ceil(far / move_.options().limit)));
  }
  return steps;
}

// y of the hops' torsions, towards their targets
void Expert::turn(const Hops& hops, std::span<const double> at, std::span<double> y) const {
  for (int h = 0; h < hops.count; ++h) {
    const Hop& hop = hops.hop[static_cast<std::size_t>(h)];
    const auto phi = static_cast<std::size_t>(2 * hop.residue - 1);
    const double limit = move_.options().limit;
    y[phi] = std::clamp(wrapped(hop.phi - at[phi]) / limit, -1.0, 1.0);
    y[phi + 1] = std::clamp(wrapped(hop.psi - at[phi + 1]) / limit, -1.0, 1.0);
  }
}

// counts clashes, and the steps for which the contact has held
void Expert::follow(const Conformation& there, const Contact& contact, int step, Progress& progress, Plan& plan) const {
  const bool clash = energy_->clashes(there) > 0;
  plan.clashes += clash ? 1 : 0;
  const bool good = contact.is_requested() && !clash && energy_->disallowed(there) == 0 &&
                    energy_->contact_distance(there, contact) <= kContact;
  progress.held = good ? progress.held + 1 : 0;
  if (progress.held == kHold && plan.met < 0) plan.met = step + 2 - kHold;
  progress.ends = plan.met >= 0 && progress.held > kHold;
}

void Expert::carry_out(std::span<const double> torsions, const Contact& contact, int steps, const Hops& hops,
                       double best, Plan& plan) {
  plan = {};
  plan.moves.reserve(static_cast<std::size_t>(steps));
  const auto n = static_cast<std::size_t>(energy_->chain().torsions());
  Torsions at = {}, y = {};
  std::copy_n(torsions.begin(), n, at.begin());
  const int turning = steps_of(hops, at);
  Progress progress;
  for (int step = 0; step < steps; ++step) {
    y = {};
    move_.set_start(at, contact);
    levenberg_.improve(move_, y);
    if (step < turning) turn(hops, at, y);
    auto& taken = plan.moves.emplace_back();
    for (std::size_t t = 0; t < n; ++t) {
      taken[t] = static_cast<float>(y[t]);
      at[t] += move_.options().limit * y[t];
    }
    follow(move_.point_after(y).conformation, contact, step, progress, plan);
    if (progress.ends) break;
    // already no better than the best so far
    if (step + options_.clash_price * plan.clashes >= best) break;
  }
  const double value = move_.value(y);
  plan.price = options_.clash_price * plan.clashes + (plan.met >= 0 ? plan.met : steps + 100 + std::min(value, 1e6));
}

ExpertPolicy::ExpertPolicy(const Energy& energy, std::uint64_t seed, const ExpertOptions& options)
    : expert_(energy, options), random_(seed, 1ULL << 40U) {}

std::array<float, kMaxTorsions> ExpertPolicy::next(const Environment& environment) {
  const Contact contact = environment.contact();
  const bool changed = !started_ || !(contact == planned_);
  if (changed || taken_ >= plan_.moves.size()) {
    // after the end of a plan, a few steps at a time, to stay there
    plan_ = expert_.plan(environment.torsions(), contact, changed && contact.is_requested() ? kWindow : 4, random_);
    planned_ = contact;
    started_ = true;
    taken_ = 0;
  }
  return plan_.moves[taken_++];
}

}  // namespace elastane::peptide
