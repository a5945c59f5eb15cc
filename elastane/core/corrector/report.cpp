// Real-time code only.
#include "elastane/core/corrector/report.h"

#include <iterator>

namespace elastane {

std::string_view name(Stop stop) {
  constexpr std::string_view kNames[] = {
      "completed",  "gate",     "converged",    "rejected", "budget",         "nothing_observed", "zero_gradient",
      "not_finite", "singular", "no_corrector", "too_late", "not_replayable", "no_such_step"};
  static_assert(std::size(kNames) == kStopReasons);
  return kNames[static_cast<int>(stop)];
}

std::string_view name(Stage stage) {
  constexpr std::string_view kNames[] = {"advance", "score", "gate",   "metric", "solve",
                                         "rollout", "trial", "commit", "other"};
  return kNames[static_cast<int>(stage)];
}

}  // namespace elastane
