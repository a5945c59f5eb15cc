// Real-time code only.
#include "elastane/core/backbone/head_router.h"

namespace elastane {

const double* head_logits(const HeadRouter& router, const double* features, double* scratch, double* logits) {
  double *code = scratch + router.task.activations(), *activations = code + router.task.scores();
  router.task.score(features, scratch, code);
  router.route.score(code, activations, logits);
  return code;
}

}  // namespace elastane
