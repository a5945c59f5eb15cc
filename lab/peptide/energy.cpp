#include "lab/peptide/energy.h"

#include <algorithm>
#include <string>

#include "lab/protein_chain/contact_limits.h"
#include "lab/protein_chain/hinge.h"
#include "lab/protein_chain/torsion_derivatives.h"

namespace elastane::peptide {
namespace {

using protein_chain::Hinge, protein_chain::element_of, protein_chain::kExtreme, protein_chain::kOuter;

// The first torsion that moves later atoms relative to this one. N and CA lie on the axis of φ, CA and C on that of ψ;
// a rotation about an axis does not change distances to atoms on it.
int first_torsion(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::n:
    case AtomKind::c: return atom.depth + 1;
    case AtomKind::ca: return atom.depth + 2;
    case AtomKind::cb:
    case AtomKind::o: break;
  }
  return atom.depth;
}

// does the pair count: do the torsions between the atoms belong to more than one residue? (φ, ψ: 2i − 1, 2i)
bool is_scored(const Atom& atom, const Atom& later) {
  const int first = first_torsion(atom), between = later.depth - first;
  return between > 2 || (between == 2 && first % 2 == 0);
}

double square(double x) { return x * x; }

Angle angle(const Conformation& at, int torsion) {
  const auto t = static_cast<std::size_t>(torsion);
  return {at.cosine[t], at.sine[t]};
}

}  // namespace

Status validate(const Contact& contact, const Chain& chain) {
  const std::string found = "found " + std::to_string(contact.i + 1) + " and " + std::to_string(contact.j + 1);
  if (contact.i < 0 || contact.j >= chain.residues() || contact.i >= contact.j) {
    return Error{"[peptide] contact: expected two residues of 1 to " + std::to_string(chain.residues()) +
                 ", the lower one first, " + found};
  }
  if (contact.j - contact.i < kMinSeparation) {
    return Error{"[peptide] contact: expected residues at least " + std::to_string(kMinSeparation) +
                 " apart along the chain, " + found + "; nearer ones cannot be brought together"};
  }
  return {};
}

Energy::Energy(const Chain& chain, const EnergyOptions& options) : chain_(chain), options_(options) {
  for (int a = 0; a < chain.atoms(); ++a) {
    const auto at = static_cast<std::size_t>(a);
    element_[at] = element_of(chain.atom(a).kind);
    int first = a;
    while (first < chain.atoms() && !is_scored(chain.atom(a), chain.atom(first))) ++first;
    partners_[at] = first;
    for (std::size_t e = 0; e < kElements; ++e) {
      wall2_[e][at] = square(kOuter[e][element_[at]] + options.wall_margin);
      inverse2_[e][at] = 1 / wall2_[e][at];
      firm2_[e][at] = square(kExtreme[e][element_[at]] + options.firm_margin);
      clash2_[e][at] = square(kExtreme[e][element_[at]]);
    }
  }
}

double Energy::evaluate(std::span<const double> torsions, const Contact& contact, EnergyPoint& point) const {
  chain_.place(torsions, point.conformation);
  point.terms = {};
  point.contact = contact;
  point.walls_count = 0;
  std::fill_n(point.force.begin(), chain_.atoms(), Vec3{});
  add_pairs(point);
  add_contact(point);
  add_ramachandran(point);
  return point.terms.total();
}

// ∂E/∂(r²/σ²) of a pair within its wall; the wall is added to the point
double Energy::add_wall(std::size_t a, std::size_t b, double r2, EnergyPoint& point) const {
  const auto element = static_cast<std::size_t>(element_[a]);
  const double inverse2 = inverse2_[element][b], firm2 = firm2_[element][b], k = options_.wall_weight,
               f = options_.firm_weight;
  double residual = k * (1 - r2 * inverse2), slope = -k * inverse2;  // slope: ∂/∂r²
  if (r2 < firm2) {
    residual += f * (1 - r2 / firm2);
    slope -= f / firm2;
  }
  point.terms.wall += 0.5 * residual * residual;
  point.walls[static_cast<std::size_t>(point.walls_count++)] = {static_cast<std::int16_t>(a),
                                                                static_cast<std::int16_t>(b), slope};
  return slope * wall2_[element][b] * residual;
}

void Energy::add_pairs(EnergyPoint& point) const {
  const Conformation& r = point.conformation;
  const double reach2 = options_.well_reach * options_.well_reach, width = 1 / (reach2 - 1);
  const auto atoms = static_cast<std::size_t>(chain_.atoms());
  std::array<double, kMaxAtoms> squares;  // r²
  double well = 0;
  for (std::size_t a = 0; a < atoms; ++a) {
    const auto first = static_cast<std::size_t>(partners_[a]), element = static_cast<std::size_t>(element_[a]);
    const double *wall2 = wall2_[element].data(), *inverse2 = inverse2_[element].data();
    for (std::size_t b = first; b < atoms; ++b) {
      const double x = r.x[b] - r.x[a], y = r.y[b] - r.y[a], z = r.z[b] - r.z[a];
      squares[b] = x * x + y * y + z * z;
    }
    for (std::size_t b = first; b < atoms; ++b) {
      if (squares[b] >= reach2 * wall2[b]) continue;
      const double s = squares[b] * inverse2[b];  // r²/σ²
      double by_s;                                // ∂E/∂s
      if (s < 1) {
        by_s = add_wall(a, b, squares[b], point);
      } else {
        const double u = (reach2 - s) * width;
        well -= u * u * (3 - 2 * u);
        by_s = options_.well_depth * 6 * u * (1 - u) * width;
      }
      const double pull = 2 * by_s * inverse2[b];
      const Vec3 force{pull * (r.x[b] - r.x[a]), pull * (r.y[b] - r.y[a]), pull * (r.z[b] - r.z[a])};
      point.force[b] += force;
      point.force[a] -= force;
    }
  }
  point.terms.well = options_.well_depth * well;
}

void Energy::add_contact(EnergyPoint& point) const {
  point.contact_slope = 0;
  if (!point.contact.is_requested()) return;
  const int a = chain_.ca(point.contact.i), b = chain_.ca(point.contact.j);
  const Vec3 apart = point.conformation.at(b) - point.conformation.at(a);
  const double d = length(apart);
  const Hinge hinge(d - options_.contact_goal, options_.contact_turn);
  const double residual = options_.contact_weight * hinge.value, slope = options_.contact_weight * hinge.slope;
  if (!(slope > 0)) return;
  point.terms.contact = 0.5 * residual * residual;
  point.contact_slope = slope / (2 * d);
  const Vec3 force = (residual * slope / d) * apart;
  point.force[static_cast<std::size_t>(b)] += force;
  point.force[static_cast<std::size_t>(a)] -= force;
}

void Energy::add_ramachandran(EnergyPoint& point) const {
  for (int i = 1; i + 1 < chain_.residues(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Likelihood e = ramachandran(chain_.sequence().classes[at], angle(point.conformation, 2 * i - 1),
                                      angle(point.conformation, 2 * i));
    const Hinge hinge(e.energy - options_.ramachandran_start, options_.ramachandran_turn);
    const double t = options_.ramachandran_weight;
    point.push[at] = t * hinge.value;
    point.by_phi[at] = t * hinge.slope * e.by_phi;
    point.by_psi[at] = t * hinge.slope * e.by_psi;
    point.terms.ramachandran += 0.5 * point.push[at] * point.push[at];
  }
}

void Energy::gradient(const EnergyPoint& point, std::span<double> gradient) const {
  protein_chain::pull_back(chain_, point.conformation, point.force, gradient);
  for (int i = 1; i + 1 < chain_.residues(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    gradient[2 * at - 1] += point.push[at] * point.by_phi[at];
    gradient[2 * at] += point.push[at] * point.by_psi[at];
  }
}

// W += row·rowᵀ for a residual with ∂/∂r² = slope of the pair a, b; a has the smaller depth
void Energy::add_row(const EnergyPoint& point, int a, int b, double slope, DoubleRows w) const {
  const Conformation& r = point.conformation;
  protein_chain::add_row(r, chain_.atom(a).depth, chain_.atom(b).depth, r.at(b), (2 * slope) * (r.at(b) - r.at(a)), w);
}

void Energy::curvature(const EnergyPoint& point, DoubleRows w) const {
  const int n = chain_.torsions();
  for (int t = 0; t < n; ++t) std::fill_n(w[t], n, 0.0);
  for (int k = 0; k < point.walls_count; ++k) {
    const EnergyPoint::Wall& wall = point.walls[static_cast<std::size_t>(k)];
    add_row(point, wall.a, wall.b, wall.slope, w);
  }
  if (point.contact_slope != 0) {
    add_row(point, chain_.ca(point.contact.i), chain_.ca(point.contact.j), point.contact_slope, w);
  }
  for (int i = 1; i + 1 < chain_.residues(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double phi = point.by_phi[at], psi = point.by_psi[at];
    w[2 * i - 1][2 * i - 1] += phi * phi;
    w[2 * i - 1][2 * i] += phi * psi;
    w[2 * i][2 * i] += psi * psi;
  }
  protein_chain::complete(w);
}

template <class Visit>
void Energy::compare_pairs(const Conformation& r, Visit visit) const {
  const auto atoms = static_cast<std::size_t>(chain_.atoms());
  for (std::size_t a = 0; a < atoms; ++a) {
    const double* clash2 = clash2_[static_cast<std::size_t>(element_[a])].data();
    for (auto b = static_cast<std::size_t>(partners_[a]); b < atoms; ++b) {
      const double x = r.x[b] - r.x[a], y = r.y[b] - r.y[a], z = r.z[b] - r.z[a];
      visit(a, b, x * x + y * y + z * z < clash2[b]);
    }
  }
}

int Energy::clashes(const Conformation& r) const {
  int count = 0;
  compare_pairs(r, [&](std::size_t, std::size_t, bool clash) { count += clash ? 1 : 0; });
  return count;
}

std::vector<std::array<int, 2>> Energy::clashing(const Conformation& r) const {
  std::vector<std::array<int, 2>> pairs;
  compare_pairs(r, [&](std::size_t a, std::size_t b, bool clash) {
    if (clash) pairs.push_back({static_cast<int>(a), static_cast<int>(b)});
  });
  return pairs;
}

int Energy::disallowed(const Conformation& conformation) const {
  int count = 0;
  for (int i = 1; i + 1 < chain_.residues(); ++i) {
    const Class residue = chain_.sequence().classes[static_cast<std::size_t>(i)];
    count += is_allowed(residue, angle(conformation, 2 * i - 1), angle(conformation, 2 * i)) ? 0 : 1;
  }
  return count;
}

}  // namespace elastane::peptide
