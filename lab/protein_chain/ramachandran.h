// Which pairs (φ, ψ) a residue likes: minus the logarithm of a mixture of bumps on the torus, smooth everywhere.
//
//   E(φ, ψ) = −log Σ_k exp(κ_k(cos(φ − φ_k) − 1) + ν_k(cos(ψ − ψ_k) − 1))
//
// Centres are the basins that textbooks name (β, PII, αR, αL, the bridges between them), widths and shares round
// figures of ours. What lies below kAllowed also lies in the allowed contours of the Top8000 distributions, which is a
// test, not a source.
#pragma once

#include <span>

#include "elastane/core/base/random.h"
#include "lab/protein_chain/sequence.h"

namespace elastane::protein_chain {

inline constexpr double kAllowed = 1.8;  // E of what counts as allowed

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

// a pair drawn from the mixture; need not be allowed
struct Pair {
  double phi, psi;
};
Pair draw(Class residue, Random& random);

// the middles of its main basins: the likeliest, and each next one that is far from those before it
std::span<const Pair> basins(Class residue);

}  // namespace elastane::protein_chain
