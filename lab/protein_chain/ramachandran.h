// Which pairs (φ, ψ) a residue prefers: minus the logarithm of a mixture of bumps on the torus, smooth everywhere.
//
//   E(φ, ψ) = −log Σ_k exp(κ_k(cos(φ − φ_k) − 1) + ν_k(cos(ψ − ψ_k) − 1))
//
// The centres are the basins of the textbooks (β, PII, αR, αL, the bridges between them); widths and shares are our own
// round figures. What lies below kAllowed also lies within the allowed contours of the Top8000 distributions; they are a
// test, not a source.
#pragma once

#include <span>

#include "elastane/core/base/random.h"
#include "lab/protein_chain/sequence.h"

namespace elastane::protein_chain {

inline constexpr double kAllowed = 1.8;  // E up to which a residue counts as allowed

struct Angle {
  double cosine = 1, sine = 0;
  static Angle of(double radians);
};

struct Likelihood {
  double energy = 0, by_phi = 0, by_psi = 0;  // E and its derivatives
};
Likelihood ramachandran(Class residue, Angle phi, Angle psi);
inline bool is_allowed(Class residue, Angle phi, Angle psi) {
  return ramachandran(residue, phi, psi).energy <= kAllowed;
}

// φ and ψ, radians
struct Pair {
  double phi, psi;
};
// a pair drawn from the mixture; need not be allowed
Pair draw(Class residue, Random& random);

// the centres of its main basins: the most likely one, then each that is far from those before it
std::span<const Pair> basins(Class residue);

}  // namespace elastane::protein_chain
