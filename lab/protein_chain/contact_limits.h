// Shortest distances between two atoms, Å: outer limits, which most pairs keep, and extreme limits, below which they clash.
//
// Ramachandran and Sasisekharan 1968, Adv. Protein Chem. 23, 283.
#pragma once

#include "lab/protein_chain/chain.h"

namespace elastane::protein_chain {

enum Element { kCarbon, kNitrogen, kOxygen };
inline constexpr int kElements = 3;

constexpr Element element_of(AtomKind kind) {
  return kind == AtomKind::n ? kNitrogen : kind == AtomKind::o ? kOxygen : kCarbon;
}

inline constexpr double kOuter[kElements][kElements] = {{3.2, 2.9, 2.8}, {2.9, 2.7, 2.7}, {2.8, 2.7, 2.7}};
inline constexpr double kExtreme[kElements][kElements] = {{3.0, 2.8, 2.7}, {2.8, 2.6, 2.6}, {2.7, 2.6, 2.6}};

}  // namespace elastane::protein_chain
