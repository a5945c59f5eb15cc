// Real-time code only.
#include "elastane/core/allocation/scoring_network.h"

#include <cmath>

#include "elastane/core/math/inner.h"

namespace elastane {

namespace {

// σ(Wx + b), row by row
void layer(const std::vector<double>& w, const std::vector<double>& b, const double* x, int n, double* out) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double sum = b[i] + dot(w.data() + i * static_cast<std::size_t>(n), x, n);
    out[i] = sum / (1 + std::fabs(sum));
  }
}

}  // namespace

void ScoringNetwork::score(const double* f, double* a, double* o) const {
  layer(hidden_weight, hidden_bias, f, features(), a);
  const double* top = a;
  if (middle() > 0) {
    layer(middle_weight, middle_bias, a, hidden(), a + hidden());
    top = a + hidden();
  }
  const int n = middle() > 0 ? middle() : hidden();
  for (int k = 0; k < scores(); ++k) o[k] = score_bias[k] + dot(score_weight.data() + k * n, top, n);
}

}  // namespace elastane
