// What every agent is given, and what a policy's outputs mean.
//
//   inputs    sin φ, cos φ, sin ψ, cos ψ of each residue, 0 where there is none             [12][4]
//             the residue's class, one of five                                              [12][5]
//             1 at the two residues that should meet                                        [12]
//             is a contact asked for? how far beyond 6 Å, in 10 Å                            [2]
//             how that distance changes with each torsion, in 10 Å a radian                 [22]
//             how the energy does, for the largest move, s as s/(1 + |s|)                   [22]
//             the coarse distance map now, in 10 Å                                          [6]
//   outputs   the move of each torsion, in units of the largest                             [22]
//             the coarse distance map after it, in 10 Å                                     [6]
//
// The coarse map: distances between the middles of the chain's four quarters. All of it follows from the torsions as
// they are observed, noise included.
#pragma once

#include <span>

#include "lab/peptide/next_move.h"

namespace elastane::peptide {

inline constexpr int kSegments = 4, kMapSize = kSegments * (kSegments - 1) / 2;
inline constexpr int kInputs = kMostResidues * 10 + 2 + 2 * kMostTorsions + kMapSize;
inline constexpr int kOutputs = kMostTorsions + kMapSize;

// where the parts begin
inline constexpr int kTorsionPart = 0, kClassPart = 4 * kMostResidues, kMarkPart = 9 * kMostResidues,
                     kAskedPart = 10 * kMostResidues, kLeverPart = kAskedPart + 2,
                     kSlopePart = kLeverPart + kMostTorsions, kMapPart = kSlopePart + kMostTorsions;

// point: scratch; gets E at these torsions
void observe(const Energy& energy, std::span<const double> torsions, const Contact& contact, EnergyPoint& point,
             std::span<float> x);
// dt of a step of this world. A latent that forgets slowly keeps what a correction put into it, and the chain goes on
// moving as if pushed: that leads over barriers, and into clashes (experiments/peptide). So steps are long ones.
inline constexpr float kPace = 8;

void coarse_map(const Chain& chain, const Conformation& conformation, std::span<float> map);

}  // namespace elastane::peptide
