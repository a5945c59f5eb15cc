// A residual that is zero for x ≤ 0, linear near 0 and grows like a square root far away: h(x) = x/(1 + x²/c²)^¼.
#pragma once

#include <cmath>

namespace elastane::protein_chain {

struct Hinge {
  double value = 0, slope = 0;

  Hinge(double x, double c) {
    if (x <= 0) return;
    const double far = x * x / (c * c), root = std::sqrt(std::sqrt(1 + far));
    value = x / root;
    slope = (1 + 0.5 * far) / (root * (1 + far));
  }
};

}  // namespace elastane::protein_chain
