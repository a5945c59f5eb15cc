// Random cases of what a recursion claims about itself: its bound, how it follows a moving fixed point, and its classes.
//
//   residual    ‖h − h*‖ ≤ ‖h − Φ(h)‖/(1 − L)                         wherever h comes from
//   posterior   ‖Φᵏ(h) − h*‖ ≤ the bound in the report
//   tracking    e_t ≤ Lᵏ(e_{t−1} + ‖h*_t − h*_{t−1}‖)                 with k warm iterations per step
//   class       a certified class is that of the fixed point
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/benchmark/depth_rows.h"

namespace elastane::frost {

inline constexpr const char* kForms[] = {"flat", "damped", "chord", "grid", "line"};

struct Certificates {
  std::int64_t cases = 0;
  std::int64_t residual = 0, posterior = 0, tracking = 0, classes = 0;  // violations
  double tightness = 0;                                                 // mean error over its bound

  std::int64_t violations() const { return residual + posterior + tracking + classes; }
};

// at least `cases` of them, with fresh weights every few hundred; throws for an unknown form
Certificates try_certificates(const std::string& form, std::int64_t cases, std::uint64_t seed);

benchmark::DepthRow to_row(const std::string& form, const Certificates& found, std::uint64_t seed);

}  // namespace elastane::frost
