#include "lab/protein_loop/energy_terms.h"

#include <algorithm>
#include <cstdlib>

#include "lab/protein_chain/contact_limits.h"

namespace elastane::protein_loop {
namespace {

using protein_chain::AtomKind, protein_chain::element_of;

constexpr int kBondsApart = 5;

// position along the chain, three per residue; CB and O are side branches
int place_of(AtomKind kind, int residue) {
  return 3 * residue + (kind == AtomKind::n ? 0 : kind == AtomKind::ca || kind == AtomKind::cb ? 1 : 2);
}
int beside(AtomKind kind) { return kind == AtomKind::cb || kind == AtomKind::o ? 1 : 0; }

bool are_bonding(AtomKind a, AtomKind b) {
  return (a == AtomKind::n && b == AtomKind::o) || (a == AtomKind::o && b == AtomKind::n);
}

}  // namespace

bool is_scored(AtomKind a, int residue_a, AtomKind b, int residue_b) {
  return std::abs(place_of(a, residue_a) - place_of(b, residue_b)) + beside(a) + beside(b) >= kBondsApart;
}

PairLaws::PairLaws(const EnergyOptions& options) {
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    for (std::size_t j = 0; j < laws_.size(); ++j) {
      const auto a = static_cast<AtomKind>(i), b = static_cast<AtomKind>(j);
      const double wall = protein_chain::kOuter[element_of(a)][element_of(b)] + options.wall_margin;
      const double clash = protein_chain::kExtreme[element_of(a)][element_of(b)];
      const bool bond = are_bonding(a, b), contact = a == AtomKind::cb && b == AtomKind::cb;
      const double reach = std::max(wall, bond ? options.bond_reach : contact ? options.contact_reach : wall);
      const double depth = bond ? options.bond_depth : contact ? options.contact_depth : 0;
      laws_[i][j] = {wall * wall, 1 / (wall * wall), reach * reach, depth, clash * clash, bond};
    }
  }
}

PairLaw::Effect PairLaw::add(double r2, double wall_weight, bool well, EnergyTerms& terms) const {
  Effect effect;
  if (r2 < wall2) {
    effect.residual = wall_weight * (1 - r2 * inverse2);
    effect.slope = -wall_weight * inverse2;
    effect.by_r2 = effect.residual * effect.slope;
    terms.wall += 0.5 * effect.residual * effect.residual;
  }
  if (well && depth > 0 && r2 < reach2) {
    const double width = 1 / (reach2 - wall2), u = std::min(1.0, (reach2 - r2) * width);
    (is_bond ? terms.bond : terms.contact) -= depth * u * u * (3 - 2 * u);
    effect.by_r2 += depth * 6 * u * (1 - u) * width;
  }
  return effect;
}

}  // namespace elastane::protein_loop
