// Detects drift: compares recent errors with their long-term level.
//
// The statistic is a mean over some rows of the normalised innovation e²/v, capped, with v a slow mean of e² for each
// target and step of the horizon. It stays near 1 while nothing changes. Fitting sets the threshold on calibration rows.
#pragma once

#include <cmath>

#include "elastane/core/forecast/forecaster_options.h"

namespace elastane {

// returns e²/v, then updates v
inline double normalised(const AlarmOptions& options, double error, double& variance) {
  if (variance == 0) variance = error * error + 1e-12;
  const double innovation = std::fmin(error * error / variance, options.cap);
  variance += options.reference * (innovation - 1) * variance + 1e-15;
  return innovation;
}

struct DriftAlarm {
  double recent = 1;   // recent mean of the normalised innovation
  double on = 0;       // 1 while it is above the threshold
  double raised = 0;   // number of times it was raised
  double highest = 0;  // highest `recent` since reset

  void follow(const AlarmOptions& options, double innovation, double threshold) {
    recent += options.recent * (innovation - recent);
    highest = std::fmax(highest, recent);
    const bool now =
        on > 0 ? recent > 0.5 * (1 + threshold) : recent > threshold;  // hysteresis: off only well below the threshold
    raised += now && on == 0 ? 1 : 0;
    on = now ? 1 : 0;
  }
};

}  // namespace elastane
