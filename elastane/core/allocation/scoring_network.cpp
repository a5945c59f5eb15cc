// Real-time code only.
#include "elastane/core/allocation/scoring_network.h"

#include <cmath>

#include "elastane/core/math/inner.h"

namespace elastane {

void ScoringNetwork::score(const double* f, double* a, double* o) const {
  const int inputs = features(), h = hidden();
  for (int i = 0; i < h; ++i) {
    const double x = hidden_bias[i] + dot(hidden_weight.data() + i * inputs, f, inputs);
    a[i] = x / (1 + std::fabs(x));
  }
  for (int k = 0; k < scores(); ++k) o[k] = score_bias[k] + dot(score_weight.data() + k * h, a, h);
}

}  // namespace elastane
