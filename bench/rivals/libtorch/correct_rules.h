// What both LibTorch corrections decide, and when: λ, the length of a step, whether it is taken. Scalars only; the
// tensors are the styles' own.
#pragma once

#include <cmath>

#include "bench/drift.h"
#include "elastane/core/corrector/trust.h"
#include "elastane/io/model_file.h"

namespace elastane::libtorch {

// what both styles can correct: an encoder, one selective block without norm or residual, one hidden tanh layer
Status check_correctable(const ModelFile& file, const std::string& source);

struct CorrectOptions {
  int horizon = 3;                   // H
  float noise = bench::kDriftNoise;  // σ of every output
};

// Σ γʰℓ_h along the rollout, and ℓ now
struct Losses {
  double horizon = 0, now = 0;
};

// a quadratic model of the rollout's loss along v
struct Line {
  double slope = 0, curvature = 0;  // m′, q
  double norm = 0;                  // ‖v‖ in the metric
};

class CorrectRules {
 public:
  explicit CorrectRules(int horizon) { trust.horizon = horizon; }

  TrustOptions trust;

  // λ = 1e-3·tr(A)/d, followed
  double damping(double unit) {
    scale_ = count_ == 0 ? unit : scale_ + 0.1 * (unit - scale_);
    return 1e-3 * scale_;
  }

  // the first of α, α/2, α/4 that is good enough; 0 if none is. try_length gives the losses there
  template <class Try>
  double choose(const Line& line, const Losses& before, Try try_length) {
    ++count_;
    if (!(line.slope < 0)) return 0;
    auto [alpha, capped] = choose_length(line.slope, line.curvature, line.norm, radius_);
    for (int t = 0; t < trust.trials; ++t, alpha *= 0.5) {
      const Losses after = try_length(alpha);
      const double ratio =
          (before.horizon - after.horizon) / predicted_decrease(line.slope, line.curvature, alpha);  // η
      if (!(ratio >= trust.low && after.now <= before.now)) continue;
      radius_ = next_radius(trust, radius_, true, t == 0, ratio, capped);
      return alpha;
    }
    radius_ = next_radius(trust, radius_, false, false, 0, capped);
    return 0;
  }

  void reset() { *this = CorrectRules(trust.horizon); }

 private:
  double radius_ = TrustOptions().radius, scale_ = 0;
  long count_ = 0;
};

}  // namespace elastane::libtorch
