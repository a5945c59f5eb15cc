#include "lab/protein_loop/energy.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "lab/protein_chain/contact_limits.h"
#include "lab/protein_chain/hinge.h"

namespace elastane::protein_loop {
namespace {

using protein_chain::Angle, protein_chain::Conformation;

protein_chain::Chain chain_of(const Protein& protein, const Window& window) {
  std::string letters;
  for (int i = window.first - 1; i <= window.last() + 1; ++i) letters += protein.residue(i).letter;
  const int after = window.last() + 2;
  return protein_chain::Chain(
      protein_chain::classified(letters, after < protein.size() ? protein.residue(after).letter : ' '),
      protein_chain::Start::at(protein.residue(window.first - 1).at),
      protein_chain::End::like(protein.residue(window.last() + 1).at));
}

// by kind of atom
std::array<double, 5> near_reach(const EnergyOptions& options) {
  const double wall = protein_chain::kOuter[0][0] + options.wall_margin, bond = std::max(wall, options.bond_reach);
  return {bond, wall, wall, wall, bond};
}
std::array<double, 5> contact_reach(const EnergyOptions& options) {
  return {0, 0, std::max(protein_chain::kOuter[0][0] + options.wall_margin, options.contact_reach), 0, 0};
}

}  // namespace

Surroundings::Surroundings(const Protein& protein, const EnergyOptions& options)
    : near(protein, near_reach(options)), contacts(protein, contact_reach(options)) {}

double EnergyPoint::gap_length() const {
  return std::sqrt((dot(gap[0], gap[0]) + dot(gap[1], gap[1]) + dot(gap[2], gap[2])) / 3);
}

Energy::Energy(const Protein& protein, const Surroundings& surroundings, const Window& window,
               const EnergyOptions& options)
    : surroundings_(&surroundings),
      window_(window),
      options_(options),
      chain_(chain_of(protein, window)),
      laws_(options) {
  const int last = chain_.residues() - 1;
  first_atom_ = chain_.index(0, AtomKind::o);
  end_atom_ = chain_.index(last, AtomKind::n);
  for (int a = first_atom_; a < end_atom_; ++a) {
    int b = a;
    while (b < end_atom_ &&
           !is_scored(chain_.atom(a).kind, chain_.atom(a).residue, chain_.atom(b).kind, chain_.atom(b).residue)) {
      ++b;
    }
    partners_[static_cast<std::size_t>(a)] = b;
  }
  for (std::size_t kind = 0; kind < 5; ++kind) {
    for (int a = 0; a < chain_.atoms(); ++a) {
      reach2_[kind][static_cast<std::size_t>(a)] = laws_.of(static_cast<AtomKind>(kind), chain_.atom(a).kind).reach2;
    }
  }
  const protein_chain::Residue& after = protein.residue(window.last() + 1).at;
  target_ = {after.n, after.ca, after.c};
  has_before_ = is_bonded(protein, window.first - 2);
  has_after_ = is_bonded(protein, window.last() + 1);
  if (has_before_) phi_before_ = Angle::of(protein.phi(window.first - 1));
  if (has_after_) psi_after_ = Angle::of(protein.psi(window.last() + 1));
  classes_ = chain_.sequence().classes;
}

// pairs of atom a with later atoms of the window; returns how many were examined
template <class Visit>
std::int64_t Energy::visit_inner_pairs(int a, const Conformation& at, Visit visit) const {
  const protein_chain::Atom& atom = chain_.atom(a);
  const auto from = static_cast<std::size_t>(a), first = static_cast<std::size_t>(partners_[from]),
             end = static_cast<std::size_t>(end_atom_);
  std::array<double, kMaxAtoms> square;
  for (std::size_t b = first; b < end; ++b) {
    const double x = at.x[b] - at.x[from], y = at.y[b] - at.y[from], z = at.z[b] - at.z[from];
    square[b] = x * x + y * y + z * z;
  }
  const double* reach2 = reach2_[static_cast<std::size_t>(atom.kind)].data();
  for (std::size_t b = first; b < end; ++b) {
    if (square[b] >= reach2[b]) continue;
    const protein_chain::Atom& other = chain_.atom(static_cast<int>(b));
    const PairLaw& law = laws_.of(atom.kind, other.kind);
    // the derivative is taken of the atom with the greater depth
    visit(static_cast<int>(b), a, at.at(a), law, square[b], may_attract(other.residue - atom.residue));
  }
  return static_cast<std::int64_t>(end - std::min(first, end));
}

// pairs of atom a with atoms of the rest of the protein
template <class Visit>
std::int64_t Energy::visit_outer_pairs(int a, const Conformation& at, Visit visit) const {
  const protein_chain::Atom& atom = chain_.atom(a);
  const int residue = residue_of(a);
  const Vec3 here = at.at(a);
  std::int64_t examined = 0;
  const auto visit_near = [&](std::span<const AtomGrid::Item> near, bool contacts) {
    examined += static_cast<std::int64_t>(near.size());
    for (const AtomGrid::Item& item : near) {
      const Vec3 apart = here - item.at;
      const double r2 = dot(apart, apart);
      const PairLaw& law = laws_.of(atom.kind, item.kind);
      if (r2 >= law.reach2 || !stays(item)) continue;
      if (!contacts && atom.kind == AtomKind::cb && item.kind == AtomKind::cb) continue;
      const int separation = std::abs(item.residue - residue);
      if (separation <= 1 && !is_scored(atom.kind, residue, item.kind, item.residue)) continue;
      visit(a, -1, item.at, law, r2, may_attract(separation));
    }
  };
  visit_near(surroundings_->near.near(here), false);
  if (atom.kind == AtomKind::cb) visit_near(surroundings_->contacts.near(here), true);
  return examined;
}

// visit(atom, other atom or −1, position of the other, law, r², may they attract?) for every pair within the reach of its
// law; returns how many pairs were examined
template <class Visit>
std::int64_t Energy::visit_pairs(const Conformation& at, Visit visit) const {
  std::int64_t examined = 0;
  for (int a = first_atom_; a < end_atom_; ++a) {
    examined += visit_inner_pairs(a, at, visit);
    examined += visit_outer_pairs(a, at, visit);
  }
  return examined;
}

double Energy::evaluate(std::span<const double> torsions, const Emphasis& emphasis, EnergyPoint& point) const {
  chain_.place(torsions, point.conformation);
  point.terms = {};
  point.walls_count = 0;
  std::fill_n(point.force.begin(), chain_.atoms(), Vec3{});
  add_pairs(emphasis, point);
  add_closure(emphasis, point);
  add_ramachandran(torsions, point);
  return point.terms.total();
}

void Energy::add_pairs(const Emphasis& emphasis, EnergyPoint& point) const {
  const double k = options_.wall_weight * emphasis.wall;
  point.pairs = 0;
  if (k == 0) return;
  point.pairs =
      visit_pairs(point.conformation, [&](int a, int other, Vec3 there, const PairLaw& l, double r2, bool well) {
        const Vec3 end = point.conformation.at(a), apart = end - there;
        const PairLaw::Effect effect = l.add(r2, k, well, point.terms);
        if (effect.slope != 0 && point.walls_count < EnergyPoint::kMaxWalls) {
          point.walls[static_cast<std::size_t>(point.walls_count++)] = {
              other < 0 ? 0 : chain_.atom(other).depth, chain_.atom(a).depth, end, (2 * effect.slope) * apart};
        }
        const Vec3 force = (2 * effect.by_r2) * apart;
        point.force[static_cast<std::size_t>(a)] += force;
        if (other >= 0) point.force[static_cast<std::size_t>(other)] -= force;
      });
}

std::array<int, 3> Energy::closing_atoms() const {
  const int last = chain_.residues() - 1;
  return {chain_.index(last, AtomKind::n), chain_.ca(last), chain_.index(last, AtomKind::c)};
}

double Energy::gap_at(const Conformation& conformation) const {
  double squares = 0;
  const std::array atoms = closing_atoms();
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const Vec3 off = conformation.at(atoms[i]) - target_[i];
    squares += dot(off, off);
  }
  return std::sqrt(squares / 3);
}

void Energy::add_closure(const Emphasis& emphasis, EnergyPoint& point) const {
  const std::array atoms = closing_atoms();
  const double w = options_.closure_weight * emphasis.closure;
  point.closure_weight = w;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    point.gap[i] = point.conformation.at(atoms[i]) - target_[i];
    point.terms.closure += 0.5 * w * w * dot(point.gap[i], point.gap[i]);
    point.force[static_cast<std::size_t>(atoms[i])] += (w * w) * point.gap[i];
  }
}

Angle Energy::phi(int residue, const Conformation& at) const {
  if (residue == 0) return phi_before_;
  const auto t = static_cast<std::size_t>(2 * residue - 1);
  return {at.cosine[t], at.sine[t]};
}

Angle Energy::psi(int residue, const Conformation& at) const {
  if (residue + 1 == chain_.residues()) return psi_after_;
  const auto t = static_cast<std::size_t>(2 * residue);
  return {at.cosine[t], at.sine[t]};
}

void Energy::add_ramachandran(std::span<const double> /*torsions*/, EnergyPoint& point) const {
  const int last = chain_.residues() - 1;
  for (int i = 0; i <= last; ++i) {
    const auto at = static_cast<std::size_t>(i);
    point.push[at] = point.by_phi[at] = point.by_psi[at] = 0;
    if ((i == 0 && !has_before_) || (i == last && !has_after_)) continue;
    const protein_chain::Likelihood e =
        protein_chain::ramachandran(classes_[at], phi(i, point.conformation), psi(i, point.conformation));
    const protein_chain::Hinge hinge(e.energy - options_.ramachandran_start, options_.ramachandran_turn);
    const double t = options_.ramachandran_weight;
    point.push[at] = t * hinge.value;
    point.by_phi[at] = i == 0 ? 0 : t * hinge.slope * e.by_phi;
    point.by_psi[at] = i == last ? 0 : t * hinge.slope * e.by_psi;
    point.terms.ramachandran += 0.5 * point.push[at] * point.push[at];
  }
}

int Energy::clashes(const Conformation& conformation) const {
  int count = 0;
  visit_pairs(conformation, [&](int, int, Vec3, const PairLaw& l, double r2, bool) { count += r2 < l.clash2 ? 1 : 0; });
  return count;
}

int Energy::disallowed(std::span<const double> torsions) const {
  int count = 0;
  for (int i = 1; i + 1 < chain_.residues(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    count +=
        protein_chain::is_allowed(classes_[at], Angle::of(torsions[2 * at - 1]), Angle::of(torsions[2 * at])) ? 0 : 1;
  }
  return count;
}

}  // namespace elastane::protein_loop
