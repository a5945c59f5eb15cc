// Counter-based random numbers: the i-th draw of a stream depends on (seed, i) alone, so order and threads do not
// matter.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace elastane {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t counter = 0) : seed_(seed), counter_(counter) {}

  // splitmix64 at position `counter` of the sequence `seed`
  std::uint64_t bits() {
    std::uint64_t v = seed_ * 0xD1342543DE82EF95ULL + ++counter_ * 0x9E3779B97F4A7C15ULL;
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9ULL;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBULL;
    return v ^ (v >> 31);
  }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }  // in [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  double sign() { return (bits() >> 63) != 0 ? 1.0 : -1.0; }
  double normal() {  // Box and Muller
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t seed_, counter_;
};

}  // namespace elastane
