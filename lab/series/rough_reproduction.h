// The tables of `elastane reproduce rough_series`, what one disturbance costs a forecaster and for how long, and of
// `elastane reproduce quiet_series`, what adapting costs where nothing happens.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "command_line/options.h"
#include "lab/series/rough_comparison.h"

namespace elastane::series {

// rows of the form kind, size, seed, horizon, phase, method, error, best_simple, best_simple_error
std::string rough_json(const std::vector<RoughResult>& results);
// one line per kind and horizon: shares of streams within the bounds of the experiment, ours and today's engine
std::string rough_summary(const std::vector<RoughResult>& results);

void declare_rough_series(command_line::Command& reproduce);
void declare_quiet_series(command_line::Command& reproduce);

}  // namespace elastane::series
