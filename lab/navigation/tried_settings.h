// The settings that were tried of every entrant of the navigation benchmark: eight each.
#pragma once

#include <string>
#include <vector>

#include "elastane/core/corrector/retraction.h"
#include "elastane/core/metric/metric.h"
#include "lab/navigation/roster.h"

namespace elastane::navigation {

std::string number(double value);  // as short as it can be

// what is varied of an agent that corrects a latent
struct Knobs {
  int depth = 3;
  double damping = 0.1, fade = 0.15, radius = 0.5;
  int horizon = 1;
};
Setting latent(const MetricOptions& metric, const Knobs& knobs, Retraction retraction = Retraction::first_order);

// of latents: how deep, how damped, how lasting
std::vector<Setting> pullback_settings(const MetricOptions& metric, Retraction retraction = Retraction::first_order);
// where there is no damping to choose: how far, and how lasting
std::vector<Setting> plain_settings(const MetricOptions& metric, int depth);
// as printed: nothing fades; two of the published λ, two radii and horizons
std::vector<Setting> literal_settings();
// the printed metric with what the corrected rows have beside theirs: corrections that fade
std::vector<Setting> literal_fade_settings();
std::vector<Setting> static_settings();
// the latent first, then the way
std::vector<Setting> both_settings();
std::vector<Setting> observer_settings();
std::vector<Setting> persistent_settings();
std::vector<Setting> kalman_settings();

// of ways and commands
std::vector<Setting> way_settings();
std::vector<Setting> sweep_settings(int horizon, int sweeps);
std::vector<Setting> filter_settings();
std::vector<Setting> flow_settings();

}  // namespace elastane::navigation
