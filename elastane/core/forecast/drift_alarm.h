// Tells when the world has changed: recent errors against what they have been for long.
//
// The statistic is a mean over some rows of the normalised innovation e²/v, capped, with v a slow mean of e² for each
// target and horizon step. It hovers around 1 while nothing changes. The threshold is set on the rows that a model was
// calibrated by.
#pragma once

#include <cmath>

namespace elastane {

struct AlarmOptions {
  double recent = 1.0 / 32, reference = 1.0 / 2048;  // gains of the two means
  double cap = 50;                                   // of one innovation
};

// e²/v, and v after it
inline double normalised(const AlarmOptions& options, double error, double& variance) {
  if (variance == 0) variance = error * error + 1e-12;
  const double innovation = std::fmin(error * error / variance, options.cap);
  variance += options.reference * (innovation - 1) * variance + 1e-15;
  return innovation;
}

struct DriftAlarm {
  double recent = 1;   // mean normalised innovation of late
  double on = 0;       // 1 while it is above the threshold
  double raised = 0;   // times that it went on
  double highest = 0;  // of `recent`, since reset

  void follow(const AlarmOptions& options, double innovation, double threshold) {
    recent += options.recent * (innovation - recent);
    highest = std::fmax(highest, recent);
    const bool now = on > 0 ? recent > 0.5 * (1 + threshold) : recent > threshold;  // off only well below
    raised += now && on == 0 ? 1 : 0;
    on = now ? 1 : 0;
  }
};

}  // namespace elastane
