// How unusual a size is among those of the last few thousand rows: a histogram of logarithms that forgets, and a power law
// beyond what it holds.
//
//   p(s) = share of sizes ≥ s                       where at least 2 % of them lie
//   p(s) = p(s₀)(s/s₀)^(−a), 1/a = mean log(s/s₀)     beyond s₀, which 2 % exceed (Hill 1975)
#pragma once

#include <array>

namespace elastane {

// all doubles: part of the state of a stream
struct SizeHistogram {
  static constexpr int kBins = 48;

  std::array<double, kBins> counts{};
  double total = 0;

  void add(double size);
  double share_above(double size) const;  // p(s), never 0
};

}  // namespace elastane
