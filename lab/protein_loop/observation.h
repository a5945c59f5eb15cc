// What a network sees of a window, and what its outputs mean.
//
//   inputs    cos and sin of the window's torsions                                           [52]
//             class of each residue, one of five                                             [60]
//             the gap at N, CA, C after the window, in that residue's own frame, Å/(1 + |Å|)  [9]
//             direction in which the energy rises                                            [26]
//             how steeply; how wide the gap; closure, walls, Ramachandran: log(1 + ·)          [5]
//   outputs   how torsions should change, in half radians                                    [26]
//
// All of it follows from the window as it is; whoever looks pays for one evaluation of the energy and its gradient.
#pragma once

#include <span>

#include "lab/protein_loop/damage.h"

namespace elastane::protein_loop {

inline constexpr int kTorsions = 2 * kWindow + 2;
inline constexpr int kInputs = 3 * kTorsions + 5 * kWindow + 9 + 5, kOutputs = kTorsions;
inline constexpr double kMove = 0.5;  // radians of an output of 1
// dt of a step: what is behind the window is of little use, so the latent forgets it soon
inline constexpr float kPace = 4;

// point: the energy at the window's torsions
void observe(const Energy& energy, const EnergyPoint& point, std::span<float> x);

}  // namespace elastane::protein_loop
