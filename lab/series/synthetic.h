// Streams of which one knows what changes and when: a season, noise of second order, channels that drive each other.
//
//   x_c = a_c sin(2πt/D + θ_c) + b_c sin(4πt/D + ϑ_c) + n_c,   n_c ← 1.1 n_c − .4 n_c' + .15 n_(c−1) + ε
#pragma once

#include <cstdint>

#include "elastane/forecast/dataset.h"

namespace elastane::series {

enum class Change : std::uint8_t {
  none,
  level,  // all levels jump, by three deviations of the season and back after a third of what is left
  phase,  // the season turns by a quarter
  gain,   // the season doubles, and channels drive each other the other way
  slow,   // the season fades into another, and levels wander off
};
const char* name(Change change);

struct SyntheticOptions {
  std::uint64_t seed = 1;
  std::size_t rows = 12'000, channels = 4;
  double season = 24;
  Change change = Change::none;
  std::size_t at = 6'000;  // row of the change; a slow one begins there
};
Dataset synthetic(const SyntheticOptions& options);

// The rows to learn from, the held-out rows, and these once more, so many times: a stream that brings nothing new. The
// held-out rows are cut to whole seasons.
Dataset repeat_held_out(const Dataset& data, const DataSplit& split, std::size_t times, DataSplit& repeated);

}  // namespace elastane::series
