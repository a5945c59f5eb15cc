// Real-time code only.
#include "elastane/core/backbone/head_router.h"

namespace elastane {

double HeadRouter::logit(const double* features, double* scratch) const {
  double *code = scratch + task.activations(), *activations = code + task.scores(), score = 0;
  task.score(features, scratch, code);
  route.score(code, activations, &score);
  return score;
}

}  // namespace elastane
