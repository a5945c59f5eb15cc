// Synthetic streams with known changes: a season, noise of second order, and channels that drive each other.
//
//   x_c = a_c sin(2πt/D + θ_c) + b_c sin(4πt/D + ϑ_c) + n_c,   n_c ← 1.1 n_c − .4 n_c' + .15 n_(c−1) + ε
#pragma once

#include <cstdint>

#include "elastane/forecast/dataset.h"

namespace elastane::series {

enum class Change : std::uint8_t {
  none,
  level,  // all levels jump by three deviations of the season, and back after a third of the remaining rows
  phase,  // the season shifts by a quarter
  gain,   // the season doubles, and the coupling of the channels changes sign
  slow,   // the season fades into another, and levels drift away
};
const char* name(Change change);

struct SyntheticOptions {
  std::uint64_t seed = 1;
  std::size_t rows = 12'000, channels = 4;
  double season = 24;
  Change change = Change::none;
  std::size_t at = 6'000;  // row of the change; a slow change starts there
};
Dataset synthetic(const SyntheticOptions& options);

// The rows to learn from, the held-out rows, and the held-out rows repeated this many times: a stream with nothing new to
// learn. The held-out rows are cut to whole seasons.
Dataset repeat_held_out(const Dataset& data, const DataSplit& split, std::size_t times, DataSplit& repeated);

}  // namespace elastane::series
