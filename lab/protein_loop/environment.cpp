#include "lab/protein_loop/environment.h"

#include <algorithm>
#include <cmath>

#include "lab/protein_chain/hinge.h"
#include "lab/protein_loop/bend.h"

namespace elastane::protein_loop {
namespace {

void add_pairs(const ProteinResidue& a, int i, const ProteinResidue& b, int j, const PairLaws& laws,
               const EnergyOptions& options, Assessment& assessment) {
  for (const AtomKind first : protein_chain::kAtomKinds) {
    if (first == AtomKind::cb && !a.has_cb()) continue;
    for (const AtomKind second : protein_chain::kAtomKinds) {
      if ((second == AtomKind::cb && !b.has_cb()) || !is_scored(first, i, second, j)) continue;
      const Vec3 apart = a.atom(first) - b.atom(second);
      const double r2 = dot(apart, apart);
      const PairLaw& law = laws.of(first, second);
      law.add(r2, options.wall_weight, may_attract(j - i), assessment.terms);
      assessment.clashes += r2 < law.clash2 ? 1 : 0;
    }
  }
}

void add_all_pairs(const Protein& protein, const Window& stretch, const EnergyOptions& options,
                   Assessment& assessment) {
  const PairLaws laws(options);
  const Window scored{.first = stretch.first - 1, .residues = stretch.residues + 2};
  for (int i = 0; i < protein.size(); ++i) {
    for (int j = i + 1; j < protein.size(); ++j) {
      if (!scored.has(i) && !scored.has(j)) continue;
      const ProteinResidue &a = protein.residue(i), &b = protein.residue(j);
      if (length(a.at.ca - b.at.ca) > options.contact_reach + 6) continue;
      add_pairs(a, i, b, j, laws, options, assessment);
    }
  }
}

void add_residue(const Environment& environment, int i, const EnergyOptions& options, Assessment& assessment) {
  const protein_chain::Likelihood e =
      protein_chain::ramachandran(environment.protein().class_of(i), protein_chain::Angle::of(environment.phi(i)),
                                  protein_chain::Angle::of(environment.psi(i)));
  const protein_chain::Hinge hinge(e.energy - options.ramachandran_start, options.ramachandran_turn);
  const double residual = options.ramachandran_weight * hinge.value;
  assessment.terms.ramachandran += 0.5 * residual * residual;
  assessment.disallowed += e.energy > protein_chain::kAllowed ? 1 : 0;
}

}  // namespace

Environment::Environment(Protein protein) : protein_(std::move(protein)) {
  const auto n = static_cast<std::size_t>(protein_.size());
  phi_.assign(n, 0.0);
  psi_.assign(n, 0.0);
  for (int i = 0; i < protein_.size(); ++i) {
    if (i > 0) phi_[static_cast<std::size_t>(i)] = protein_.phi(i);
    if (i + 1 < protein_.size()) psi_[static_cast<std::size_t>(i)] = protein_.psi(i);
  }
}

Torsions Environment::torsions(const Window& window) const {
  Torsions torsions = {};
  for (int i = 0; i <= window.residues; ++i) {
    torsions[static_cast<std::size_t>(2 * i)] = psi(window.first - 1 + i);
    torsions[static_cast<std::size_t>(2 * i + 1)] = phi(window.first + i);
  }
  return torsions;
}

void Environment::commit(const Energy& energy, const Torsions& torsions,
                         const protein_chain::Conformation& conformation) {
  place_loop(energy, conformation, protein_);
  const Window& window = energy.window();
  for (int i = 0; i <= window.residues; ++i) {
    psi_[static_cast<std::size_t>(window.first - 1 + i)] = torsions[static_cast<std::size_t>(2 * i)];
    phi_[static_cast<std::size_t>(window.first + i)] = torsions[static_cast<std::size_t>(2 * i + 1)];
  }
}

double Environment::gap(int i) const {
  const ProteinResidue &here = protein_.residue(i), &next = protein_.residue(i + 1);
  const char letters[] = {here.letter, next.letter};
  const protein_chain::Chain joint(protein_chain::classified({letters, 2}), protein_chain::Start::at(here.at),
                                   protein_chain::End::like(next.at));
  protein_chain::Conformation at;
  joint.place(std::array{psi(i), phi(i + 1)}, at);
  const Vec3 n = at.at(joint.index(1, AtomKind::n)) - next.at.n, ca = at.at(joint.ca(1)) - next.at.ca,
             c = at.at(joint.index(1, AtomKind::c)) - next.at.c;
  return std::sqrt((dot(n, n) + dot(ca, ca) + dot(c, c)) / 3);
}

Assessment assess(const Environment& environment, const EnergyOptions& options) {
  return assess(environment, inner(environment.protein()), options);
}

Assessment assess(const Environment& environment, const Window& stretch, const EnergyOptions& options) {
  Assessment assessment;
  add_all_pairs(environment.protein(), stretch, options, assessment);
  for (int i = stretch.first - 1; i <= stretch.last(); ++i) {
    if (stretch.has(i)) add_residue(environment, i, options, assessment);
    const double gap = environment.gap(i), w = options.closure_weight;
    assessment.terms.closure += 1.5 * w * w * gap * gap;  // half the square, three atoms
    assessment.widest_gap = std::max(assessment.widest_gap, gap);
  }
  return assessment;
}

}  // namespace elastane::protein_loop
