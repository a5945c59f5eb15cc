// Corrects a path itself, without a latent, by the same objective that corrects latents.
#pragma once

#include <span>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "lab/navigation/objective.h"

namespace elastane::navigation {

class PathCorrector {
 public:
  explicit PathCorrector(const CorrectorOptions& options);
  void reset();
  StepReport correct(const PathObjective& objective, std::span<const float> proposed);
  std::span<const double> path() const { return path_; }  // corrected; encoded as outputs of the network

 private:
  Corrector corrector_;
  std::vector<double> memory_, path_, output_;
};

}  // namespace elastane::navigation
