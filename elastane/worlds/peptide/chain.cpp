#include "elastane/worlds/peptide/chain.h"

#include <numbers>

namespace elastane::peptide {
namespace {

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// a bond's length and the angle before it, as NeRF needs them: the new atom, but for its torsion
struct Bond {
  double along, aside;  // of the last bond, and away from it

  Bond(double length, double degrees)
      : along(-length * std::cos(radians(degrees))), aside(length * std::sin(radians(degrees))) {}
};

// a bond's direction, the direction in the plane of the atoms before it, and the plane's normal
struct Frame {
  Vec3 along, within, normal;

  Frame(Vec3 a, Vec3 b, Vec3 c) {
    along = unit(c - b);
    normal = unit(cross(b - a, along));
    within = cross(normal, along);
  }
};

// the atom after c with the given torsion; natural extension reference frame (Parsons et al. 2005)
Vec3 extend(const Frame& frame, Vec3 c, const Bond& bond, double cosine, double sine) {
  return c + bond.along * frame.along + (bond.aside * cosine) * frame.within + (bond.aside * sine) * frame.normal;
}

// CB lies where all three of its angles hold: u·n = cos(N–CA–CB), u·c = cos(C–CA–CB), on the side of an L residue
struct BetaPlace {
  double towards_n, towards_c, above;

  BetaPlace() {
    const double nc = std::cos(radians(Geometry::n_ca_c)), nb = std::cos(radians(Geometry::n_ca_cb)),
                 cb = std::cos(radians(Geometry::c_ca_cb)), rest = 1 - nc * nc;
    towards_n = (nb - nc * cb) / rest;
    towards_c = (cb - nc * nb) / rest;
    const double planar = towards_n * towards_n + towards_c * towards_c + 2 * towards_n * towards_c * nc;
    above = std::sqrt(1 - planar) / std::sqrt(rest);  // of n × c, whose length is √rest
  }
  Vec3 from(Vec3 n, Vec3 ca, Vec3 c) const {
    const Vec3 to_n = (1 / Geometry::n_ca) * (n - ca), to_c = (1 / Geometry::ca_c) * (c - ca);
    return ca + Geometry::ca_cb * (towards_n * to_n + towards_c * to_c + above * cross(to_n, to_c));
  }
};

const Bond kToN(Geometry::c_n, Geometry::ca_c_n), kToCa(Geometry::n_ca, Geometry::c_n_ca),
    kToC(Geometry::ca_c, Geometry::n_ca_c), kToO(Geometry::c_o, Geometry::ca_c_o);
const BetaPlace kBeta;

}  // namespace

double wrapped(double angle) {
  const double near = std::remainder(angle, 2 * std::numbers::pi);
  return near == -std::numbers::pi ? std::numbers::pi : near;
}

// atoms in the order of their depth
Chain::Chain(const Sequence& sequence) : sequence_(sequence) {
  for (int i = 0; i < residues(); ++i) {
    const int before = i == 0 ? 0 : 2 * i - 1, after_phi = 2 * i;
    add(AtomKind::n, i, before);
    add(AtomKind::ca, i, before);
    if (sequence.has_cb(i)) add(AtomKind::cb, i, after_phi);
    add(AtomKind::c, i, after_phi);
    add(AtomKind::o, i, i + 1 < residues() ? after_phi + 1 : after_phi);
    if (!sequence.has_cb(i)) places_[static_cast<std::size_t>(i)][static_cast<std::size_t>(AtomKind::cb)] = ca(i);
  }
}

void Chain::add(AtomKind kind, int residue, int depth) {
  atoms_[static_cast<std::size_t>(atoms_count_)] = {kind, residue, depth};
  places_[static_cast<std::size_t>(residue)][static_cast<std::size_t>(kind)] = atoms_count_++;
}

void Chain::place(std::span<const double> torsions, Conformation& out) const {
  for (std::size_t t = 0; t < static_cast<std::size_t>(this->torsions()); ++t) {
    out.sine[t] = std::sin(torsions[t]), out.cosine[t] = std::cos(torsions[t]);
  }
  static const double last_sine = std::sin(radians(Geometry::last_psi));
  static const double last_cosine = std::cos(radians(Geometry::last_psi));

  Vec3 n{}, ca{Geometry::n_ca, 0, 0};
  Vec3 c = ca + Vec3{kToC.along, kToC.aside, 0};
  for (int i = 0; i < residues(); ++i) {
    const auto psi = static_cast<std::size_t>(2 * i);
    const bool last = i + 1 == residues();
    const double cosine = last ? last_cosine : out.cosine[psi], sine = last ? last_sine : out.sine[psi];
    const Frame frame(n, ca, c);
    out.put(index(i, AtomKind::n), n);
    out.put(this->ca(i), ca);
    if (sequence_.has_cb(i)) out.put(index(i, AtomKind::cb), kBeta.from(n, ca, c));
    out.put(index(i, AtomKind::c), c);
    out.put(index(i, AtomKind::o), extend(frame, c, kToO, -cosine, -sine));  // opposite to the next N
    if (last) break;

    out.axis[psi] = frame.along;
    out.pivot[psi] = c;
    const Vec3 next_n = extend(frame, c, kToN, cosine, sine);
    const Frame peptide_bond(ca, c, next_n);
    const Vec3 next_ca = extend(peptide_bond, next_n, kToCa, -1, 0);  // ω = 180°
    const Frame next(c, next_n, next_ca);
    out.axis[psi + 1] = next.along;
    out.pivot[psi + 1] = next_ca;
    c = extend(next, next_ca, kToC, out.cosine[psi + 1], out.sine[psi + 1]);
    n = next_n, ca = next_ca;
  }
}

}  // namespace elastane::peptide
