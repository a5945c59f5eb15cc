// A metric that was trained, as the corrector sees it: G_ψ = diag(s) + LLᵀ. A view; its numbers must outlive it.
#pragma once

#include "elastane/core/base/view.h"

namespace elastane {

struct LearnedMetric {
  const double* diagonal = nullptr;  // s > 0   [d]
  ConstDoubleRows factor;            // Lᵀ      [r][d]
};

}  // namespace elastane
