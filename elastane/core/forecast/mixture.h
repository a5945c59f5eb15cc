// A convex mixture of forecasts, one for every target and horizon step, whose weights follow the errors.
//
//   C ← βC + (1 − β)eeᵀ                                       second moments of the errors of the members
//   w_i ← w_i exp(−η(v_i − wᵀv)/min C_ii), v = Cw + δ·min C_ii [i is not the favoured one]      one step down wᵀCw
//   w ← (1 − γ)w/Σw + γw⁰                                      no member is ever lost
//
// It keeps adaptation from doing harm, because the last value and the frozen forecast are members, and the frozen one is
// favoured: others have to earn their weight. (Exponentiated
// gradient, Kivinen and Warmuth 1997; plain least squares on the members was worse, and unbounded.)
//
// Once the season has changed, earlier errors say little of the members: C forgets quickly for a while, and the clockless
// read-out, which has no season to unlearn, begins with most of the weight.
#pragma once

#include <span>

#include "elastane/core/forecast/forecaster_options.h"

namespace elastane {

inline constexpr int kMostMembers = 8;

// 1 − β for a label of a forecast h rows ahead, this many rows after the season changed; 0: made before, it teaches nothing
double mixture_gain(const MixtureOptions& options, double since_season, int h);
// weights [members][steps] of all steps, of which a member gets this share at least
void prefer(int member, double share, int members, int steps, double* weights);

// Updates the weights with these errors; forecast_kernels.h has a kernel for all steps at once, whose twin this is.
// common is C [members][members]
void follow(const MixtureOptions& options, int favoured, std::span<const double> errors,
            std::span<const double> first_weights, double* common, std::span<double> weights);

}  // namespace elastane
