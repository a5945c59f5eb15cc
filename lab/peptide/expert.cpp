#include "lab/peptide/expert.h"

#include <algorithm>
#include <limits>

#include "lab/peptide/sequence.h"

namespace elastane::peptide {

Expert::Expert(const Energy& energy, const ExpertOptions& options, const MoveOptions& move)
    : energy_(&energy), options_(options), move_(energy, move), descent_(options.descent) {}

Way Expert::plan(std::span<const double> torsions, const Contact& contact, int steps, Random& random) {
  Way best, way;
  best.price = std::numeric_limits<double>::infinity();
  const int ways = contact.is_asked() ? options_.ways : 1;
  for (int n = 0, clean = 0; n < ways && clean < options_.enough; ++n) {
    walk(torsions, contact, steps, n == 0 ? Hops{} : draw_hops(contact, random), best.price, way);
    if (way.met >= 0 && way.clashes == 0) ++clean;
    if (way.price < best.price) std::swap(best, way);
    if (n == 0 && clean > 0) break;  // straight and clean: what the same chain always does can be learned
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

// y of the hops' torsions, towards where they go
void Expert::turn(const Hops& hops, std::span<const double> at, std::span<double> y) const {
  for (int h = 0; h < hops.count; ++h) {
    const Hop& hop = hops.hop[static_cast<std::size_t>(h)];
    const auto phi = static_cast<std::size_t>(2 * hop.residue - 1);
    const double limit = move_.options().limit;
    y[phi] = std::clamp(wrapped(hop.phi - at[phi]) / limit, -1.0, 1.0);
    y[phi + 1] = std::clamp(wrapped(hop.psi - at[phi + 1]) / limit, -1.0, 1.0);
  }
}

void Expert::walk(std::span<const double> torsions, const Contact& contact, int steps, const Hops& hops, double best,
                  Way& way) {
  way = {};
  way.moves.reserve(static_cast<std::size_t>(steps));
  const auto n = static_cast<std::size_t>(energy_->chain().torsions());
  Torsions at = {}, y = {};
  std::copy_n(torsions.begin(), n, at.begin());
  // a hop lasts until it is there
  int turning = 0;
  for (int h = 0; h < hops.count; ++h) {
    const Hop& hop = hops.hop[static_cast<std::size_t>(h)];
    const auto phi = static_cast<std::size_t>(2 * hop.residue - 1);
    const double far = std::max(std::fabs(wrapped(hop.phi - at[phi])), std::fabs(wrapped(hop.psi - at[phi + 1])));
    turning = std::max(turning, static_cast<int>(std::ceil(far / move_.options().limit)));
  }
  int held = 0;
  for (int step = 0; step < steps; ++step) {
    y = {};
    move_.begin_at(at, contact);
    descent_.improve(move_, y);
    if (step < turning) turn(hops, at, y);
    auto& taken = way.moves.emplace_back();
    for (std::size_t t = 0; t < n; ++t) {
      taken[t] = static_cast<float>(y[t]);
      at[t] += move_.options().limit * y[t];
    }
    const Conformation& there = move_.after(y).conformation;
    const bool clash = energy_->clashes(there) > 0;
    way.clashes += clash ? 1 : 0;
    const bool good = contact.is_asked() && !clash && energy_->disallowed(there) == 0 &&
                      energy_->contact_distance(there, contact) <= kContact;
    held = good ? held + 1 : 0;
    if (held == kHold && way.met < 0) way.met = step + 2 - kHold;
    if (way.met >= 0 && held > kHold) break;
    // no better than what is there already
    if (step + options_.clash_price * way.clashes >= best) break;
  }
  const double value = move_.value(y);
  way.price = options_.clash_price * way.clashes + (way.met >= 0 ? way.met : steps + 100 + std::min(value, 1e6));
}

}  // namespace elastane::peptide
