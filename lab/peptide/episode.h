// One episode as data: a sequence, where its chain starts, and which contacts are requested when.
//
//   0 … appears        the chain may relax; no contact is requested
//   appears … changes  the first contact is requested
//   changes … ends     the second one is, unless there is only one
#pragma once

#include <array>
#include <cstdint>

#include "lab/peptide/energy.h"

namespace elastane::peptide {

inline constexpr int kWindow = 40;                               // steps for which a contact is requested
inline constexpr int kHold = 3;                                  // steps for which it must hold
inline constexpr int kLimit = 2 * kWindow;                       // steps that count in an episode
inline constexpr double kNoise = 0.5 * 0.017453292519943295;     // of observed torsions, radians
inline constexpr std::array<int, 3> kAppearances = {8, 24, 40};  // early, middle, late

struct Episode {
  Sequence sequence;
  Torsions start = {};
  Contact first, second;  // there may be no second one
  int appears = kAppearances[0];
  int world = 0;  // one for each sequence of a seed
  int kind = 0;   // 3·(early, middle, late) + (small, medium, large)
  std::uint64_t noise = 0;

  int changes() const { return appears + kWindow; }
  int ends() const { return changes() + (second.is_requested() ? kWindow : 0); }
  Contact contact_at(int step) const { return step < appears ? Contact{} : step < changes() ? first : second; }
};

// how many residues apart two contacts are: 0 small, 1 medium, 2 large
int size_of_change(const Contact& from, const Contact& to);

}  // namespace elastane::peptide
