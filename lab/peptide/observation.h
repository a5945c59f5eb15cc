// What every agent observes, and the encoding of a policy's outputs.
//
//   inputs    sin φ, cos φ, sin ψ, cos ψ of each residue, 0 where there is none             [12][4]
//             the residue's class, one of five                                              [12][5]
//             1 at the two residues of the requested contact                                [12]
//             is a contact requested? its distance beyond 6 Å, in 10 Å                      [2]
//             how that distance changes with each torsion, in 10 Å per radian               [22]
//             how the energy does, for the largest move, s as s/(1 + |s|)                   [22]
//             the coarse distance map now, in 10 Å                                          [6]
//   outputs   the move of each torsion, in units of the largest                             [22]
//             the coarse distance map after it, in 10 Å                                     [6]
//
// The coarse map: distances between the centres of the chain's four quarters. All inputs follow from the observed
// torsions, noise included.
#pragma once

#include <span>

#include "lab/peptide/objective.h"

namespace elastane::peptide {

inline constexpr int kSegments = 4, kMapSize = kSegments * (kSegments - 1) / 2;
inline constexpr int kInputs = kMaxResidues * 10 + 2 + 2 * kMaxTorsions + kMapSize;
inline constexpr int kOutputs = kMaxTorsions + kMapSize;

// offsets of the parts
inline constexpr int kTorsionPart = 0, kClassPart = 4 * kMaxResidues, kMarkPart = 9 * kMaxResidues,
                     kRequestPart = 10 * kMaxResidues, kLeverPart = kRequestPart + 2,
                     kSlopePart = kLeverPart + kMaxTorsions, kMapPart = kSlopePart + kMaxTorsions;

// point: scratch; receives E at these torsions
void observe(const Energy& energy, std::span<const double> torsions, const Contact& contact, EnergyPoint& point,
             std::span<float> x);

// dt of a step. A latent that forgets slowly keeps what a correction put into it, and the chain continues to move as if
// pushed, over barriers and into clashes (experiments/peptide). So the time step is long.
inline constexpr float kTimeStep = 8;

void coarse_map(const Chain& chain, const Conformation& conformation, std::span<float> map);

}  // namespace elastane::peptide
