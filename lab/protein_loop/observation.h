// What a network observes of a window, and the encoding of its outputs.
//
//   inputs    cos and sin of the window's torsions                                           [52]
//             class of each residue, one of five                                             [60]
//             the gap at N, CA, C after the window, in that residue's own frame, Å/(1 + |Å|)  [9]
//             direction in which the energy rises                                            [26]
//             how steeply; how wide the gap; closure, walls, Ramachandran: log(1 + ·)          [5]
//   outputs   how torsions should change, in half radians                                    [26]
//
// All inputs follow from the window as it is; an observation costs one evaluation of the energy and its gradient.
#pragma once

#include <span>

#include "lab/protein_loop/episode.h"

namespace elastane::protein_loop {

inline constexpr int kTorsions = 2 * kWindow + 2;
inline constexpr int kInputs = 3 * kTorsions + 5 * kWindow + 9 + 5, kOutputs = kTorsions;
inline constexpr double kMove = 0.5;  // radians of an output of 1
// dt of a step: long, because what lies behind the window is of little use and should be forgotten soon
inline constexpr float kTimeStep = 4;

// point: the energy at the window's torsions
void observe(const Energy& energy, const EnergyPoint& point, std::span<float> x);

}  // namespace elastane::protein_loop
