#include "lab/protein_chain/chain.h"

#include <numbers>

namespace elastane::protein_chain {
namespace {

// The position of CB from its two angles: u·n = cos(N–CA–CB), u·c = cos(C–CA–CB), on the side of an L residue
struct BetaPosition {
  double towards_n, towards_c, above;

  BetaPosition() {
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
const BetaPosition kBeta;

}  // namespace

Bond::Bond(double length_, double degrees)
    : length(length_), cosine(std::cos(radians(degrees))), sine(std::sin(radians(degrees))) {}

// The natural extension reference frame of Parsons et al. 2005, carried along as a rotation: no root, no division, and
// errors do not grow along the chain, as they do with frames computed from positions
Frame Frame::next(const Bond& bond, double cosine, double sine) const {
  const Vec3 turned = cosine * within + sine * normal;
  Frame frame;
  frame.along = bond.sine * turned - bond.cosine * along;
  frame.normal = cosine * normal - sine * within;
  frame.within = -bond.sine * along - bond.cosine * turned;
  return frame;
}

Start Start::ideal() {
  const Frame at_ca{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 ca = Geometry::n_ca * at_ca.along;
  const Frame at_c = at_ca.next(kToC, 1, 0);
  return {{{}, ca, ca + kToC.length * at_c.along}, at_c};
}

Start Start::at(const Residue& residue) {
  const Vec3 along = unit(residue.c - residue.ca), back = residue.n - residue.ca;
  const Vec3 within = unit(back - dot(back, along) * along);
  return {residue, {along, within, cross(along, within)}};
}

End End::ideal() { return {kToCa, kToC}; }

End End::like(const Residue& residue) {
  const Vec3 to_n = residue.n - residue.ca, to_c = residue.c - residue.ca;
  const double degrees = std::acos(dot(unit(to_n), unit(to_c))) * 180 / std::numbers::pi;
  return {Bond(length(to_n), Geometry::c_n_ca), Bond(length(to_c), degrees)};
}

Vec3 beta_of(const Residue& residue) {
  return kBeta.from(Geometry::n_ca * unit(residue.n - residue.ca), {}, Geometry::ca_c * unit(residue.c - residue.ca)) +
         residue.ca;
}

double torsion(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  const Vec3 axis = c - b, first = cross(b - a, axis), second = cross(axis, d - c);
  return wrapped(std::atan2(length(axis) * dot(b - a, second), dot(first, second)));
}

double wrapped(double angle) {
  const double near = std::remainder(angle, 2 * std::numbers::pi);
  return near == -std::numbers::pi ? std::numbers::pi : near;
}

// atoms are in the order of their depth
Chain::Chain(const Sequence& sequence, const Start& start, const End& end)
    : sequence_(sequence), start_(start), end_(end) {
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

void Chain::place_residue(int i, const Residue& at, const Frame& frame, double cosine, double sine,
                          Conformation& out) const {
  out.put(index(i, AtomKind::n), at.n);
  out.put(ca(i), at.ca);
  if (sequence_.has_cb(i)) out.put(index(i, AtomKind::cb), kBeta.from(at.n, at.ca, at.c));
  out.put(index(i, AtomKind::c), at.c);
  const Vec3 to_o = frame.next(kToO, -cosine, -sine).along;  // opposite to the next N
  out.put(index(i, AtomKind::o), at.c + kToO.length * to_o);
}

void Chain::place(std::span<const double> torsions, Conformation& out) const {
  for (std::size_t t = 0; t < static_cast<std::size_t>(this->torsions()); ++t) {
    out.sine[t] = std::sin(torsions[t]), out.cosine[t] = std::cos(torsions[t]);
  }
  static const double last_sine = std::sin(radians(Geometry::last_psi));
  static const double last_cosine = std::cos(radians(Geometry::last_psi));

  Frame frame = start_.frame;
  Residue at = start_.residue;
  for (int i = 0; i < residues(); ++i) {
    const auto psi = static_cast<std::size_t>(2 * i);
    const bool last = i + 1 == residues();
    const double cosine = last ? last_cosine : out.cosine[psi], sine = last ? last_sine : out.sine[psi];
    if (i > 0) {
      const Bond& bond = last ? end_.to_c : kToC;
      frame = frame.next(bond, out.cosine[psi - 1], out.sine[psi - 1]);
      at.c = at.ca + bond.length * frame.along;
    }
    place_residue(i, at, frame, cosine, sine, out);
    if (last) break;

    out.axis[psi] = frame.along;
    out.pivot[psi] = at.c;
    frame = frame.next(kToN, cosine, sine);
    at.n = at.c + kToN.length * frame.along;
    const Bond& bond = i + 2 == residues() ? end_.to_ca : kToCa;
    frame = frame.next(bond, -1, 0);  // ω = 180°
    at.ca = at.n + bond.length * frame.along;
    out.axis[psi + 1] = frame.along;
    out.pivot[psi + 1] = at.ca;
  }
}

}  // namespace elastane::protein_chain
