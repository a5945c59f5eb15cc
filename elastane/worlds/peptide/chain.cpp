#include "elastane/worlds/peptide/chain.h"

#include <numbers>

namespace elastane::peptide {
namespace {

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// a bond's length and the angle before it
struct Bond {
  double length, cosine, sine;

  Bond(double length_, double degrees)
      : length(length_), cosine(std::cos(radians(degrees))), sine(std::sin(radians(degrees))) {}
};

// at the end of a bond: its direction, the direction in the plane of the bond before it, and the plane's normal
struct Frame {
  Vec3 along, within, normal;

  // that of the next bond, at this torsion. The natural extension reference frame of Parsons et al. 2005, carried on as
  // a rotation: no root, no division, and errors do not grow along the chain as those of frames from positions do
  Frame next(const Bond& bond, double cosine, double sine) const {
    const Vec3 turned = cosine * within + sine * normal;
    Frame frame;
    frame.along = bond.sine * turned - bond.cosine * along;
    frame.normal = cosine * normal - sine * within;
    frame.within = -bond.sine * along - bond.cosine * turned;
    return frame;
  }
};

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

  Frame frame;  // at CA, of the bond from N
  frame.along = {1, 0, 0}, frame.within = {0, 1, 0}, frame.normal = {0, 0, 1};
  Vec3 n{}, ca = Geometry::n_ca * frame.along;
  double phi_cosine = 1, phi_sine = 0;  // of the first residue: only where the chain lies
  for (int i = 0; i < residues(); ++i) {
    const auto psi = static_cast<std::size_t>(2 * i);
    const bool last = i + 1 == residues();
    const double cosine = last ? last_cosine : out.cosine[psi], sine = last ? last_sine : out.sine[psi];
    frame = frame.next(kToC, phi_cosine, phi_sine);
    const Vec3 c = ca + kToC.length * frame.along;
    out.put(index(i, AtomKind::n), n);
    out.put(this->ca(i), ca);
    if (sequence_.has_cb(i)) out.put(index(i, AtomKind::cb), kBeta.from(n, ca, c));
    out.put(index(i, AtomKind::c), c);
    const Vec3 to_o = frame.next(kToO, -cosine, -sine).along;  // opposite to the next N
    out.put(index(i, AtomKind::o), c + kToO.length * to_o);
    if (last) break;

    out.axis[psi] = frame.along;
    out.pivot[psi] = c;
    frame = frame.next(kToN, cosine, sine);
    n = c + kToN.length * frame.along;
    frame = frame.next(kToCa, -1, 0);  // ω = 180°
    ca = n + kToCa.length * frame.along;
    out.axis[psi + 1] = frame.along;
    out.pivot[psi + 1] = ca;
    phi_cosine = out.cosine[psi + 1], phi_sine = out.sine[psi + 1];
  }
}

}  // namespace elastane::peptide
