// A convex mixture of forecasts, one for every target and horizon step, whose weights follow the errors.
//
//   C ← βC + (1 − β)eeᵀ                                       second moments of the errors of the members
//   w_i ← w_i exp(−η(v_i − wᵀv)/min C_ii), v = Cw + δ·min C_ii [i is not the favoured one]      one step down wᵀCw
//   w ← (1 − γ)w/Σw + γw⁰                                      no member is ever lost
//
// It keeps adaptation from doing harm, because the last value and the frozen forecast are members, and the frozen one is
// favoured: others have to earn their weight. (Exponentiated
// gradient, Kivinen and Warmuth 1997; plain least squares on the members was worse, and unbounded.)
#pragma once

#include <span>

#include "elastane/core/forecast/forecaster_options.h"

namespace elastane {

inline constexpr int kMostMembers = 8;

// Updates the weights with these errors; forecast_kernels.h has a kernel for all steps at once, whose twin this is.
// common is C [members][members]
void follow(const MixtureOptions& options, int favoured, std::span<const double> errors,
            std::span<const double> first_weights, double* common, std::span<double> weights);

}  // namespace elastane
