// A backbone in internal coordinates: atom positions from torsions with ideal geometry, and their derivatives.
//
//   torsion 2i     ψ of residue i       turns about CA–C       moves O of i and all residues after it
//   torsion 2i+1   φ of residue i + 1   turns about N–CA       moves CB, C, O of i + 1 and all residues after it
//
// so that an atom of depth D moves with the torsions 0 … D − 1 only:
//
//   ∂r_a/∂θ_t = axis_t × (r_a − pivot_t)   if t < depth(a), else 0
//
// φ of the first residue and ψ of the last move no atom relative to another (except the last O) and do not count as
// torsions. ω is 180°. Lengths and angles: Engh and Huber 1991, Acta Cryst. A47, 392. For a piece of a larger chain, the
// position of the first residue is given (Start) and so is the shape of the last one (End), so that it can close exactly.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "lab/protein_chain/sequence.h"
#include "lab/protein_chain/vec3.h"

namespace elastane::protein_chain {

inline constexpr int kMaxAtoms = 5 * kMaxResidues, kMaxTorsions = 2 * kMaxResidues - 2;

// an angle in (−π, π]
double wrapped(double angle);

struct Geometry {
  static constexpr double n_ca = 1.458, ca_c = 1.525, c_n = 1.329, c_o = 1.231, ca_cb = 1.530;  // Å
  static constexpr double n_ca_c = 111.2, ca_c_n = 116.2, c_n_ca = 121.7, ca_c_o = 120.8;       // degrees
  static constexpr double n_ca_cb = 110.5, c_ca_cb = 110.1;
  static constexpr double last_psi = 150;  // of the last residue, which moves only its O
};

// the length of a bond and the angle before it
struct Bond {
  double length, cosine, sine;
  Bond(double length, double degrees);
};

// at the end of a bond: its direction, the direction in the plane of the bond before it, and the plane's normal
struct Frame {
  Vec3 along, within, normal;

  Frame next(const Bond& bond, double cosine, double sine) const;  // of the next bond, at this torsion
};

// N, CA and C of one residue
struct Residue {
  Vec3 n, ca, c;
};

// where a chain begins: its first residue, and the frame at the end of that residue's CA–C
struct Start {
  Residue residue;
  Frame frame;

  static Start ideal();  // N at the origin
  static Start at(const Residue& residue);
};

// the shape of a chain's last residue
struct End {
  Bond to_ca, to_c;

  static End ideal();
  static End like(const Residue& residue);
};

// the position of CB of an L residue
Vec3 beta_of(const Residue& residue);
// the torsion about b–c, in (−π, π]
double torsion(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

enum class AtomKind : std::uint8_t { n, ca, cb, c, o };
inline constexpr AtomKind kAtomKinds[] = {AtomKind::n, AtomKind::ca, AtomKind::cb, AtomKind::c, AtomKind::o};

struct Atom {
  AtomKind kind;
  int residue;
  int depth;
};

// positions of the atoms of a chain; x, y and z in separate arrays, so that loops over pairs vectorise
struct Conformation {
  std::array<double, kMaxAtoms> x, y, z;
  std::array<Vec3, kMaxTorsions> axis, pivot;
  std::array<double, kMaxTorsions> sine, cosine;

  Vec3 at(int atom) const {
    const auto a = static_cast<std::size_t>(atom);
    return {x[a], y[a], z[a]};
  }
  void put(int atom, Vec3 r) {
    const auto a = static_cast<std::size_t>(atom);
    x[a] = r.x, y[a] = r.y, z[a] = r.z;
  }
};

class Chain {
 public:
  explicit Chain(const Sequence& sequence, const Start& start = Start::ideal(), const End& end = End::ideal());

  const Sequence& sequence() const { return sequence_; }
  int residues() const { return sequence_.residues; }
  int torsions() const { return 2 * residues() - 2; }
  int atoms() const { return atoms_count_; }
  const Atom& atom(int a) const { return atoms_[static_cast<std::size_t>(a)]; }
  // index of an atom; for CB of glycine that of CA
  int index(int residue, AtomKind kind) const {
    return places_[static_cast<std::size_t>(residue)][static_cast<std::size_t>(kind)];
  }
  int ca(int residue) const { return index(residue, AtomKind::ca); }

  // atoms, axes and pivots of the chain with these torsions
  void place(std::span<const double> torsions, Conformation& out) const;

  // ∂r_a/∂θ_t
  Vec3 derivative(const Conformation& at, int atom, int torsion) const {
    if (torsion >= atoms_[static_cast<std::size_t>(atom)].depth) return {};
    const auto t = static_cast<std::size_t>(torsion);
    return cross(at.axis[t], at.at(atom) - at.pivot[t]);
  }
  double distance(const Conformation& at, int a, int b) const { return length(at.at(a) - at.at(b)); }

 private:
  void add(AtomKind kind, int residue, int depth);
  void place_residue(int i, const Residue& at, const Frame& frame, double cosine, double sine, Conformation& out) const;

  Sequence sequence_;
  Start start_;
  End end_;
  std::array<Atom, kMaxAtoms> atoms_ = {};
  std::array<std::array<int, 5>, kMaxResidues> places_ = {};
  int atoms_count_ = 0;
};

}  // namespace elastane::protein_chain
