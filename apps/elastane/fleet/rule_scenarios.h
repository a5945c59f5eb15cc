// For each rule of the fleet's protocol, a short script of events in which leaving it out shows in the log.
//
// Chance finds such events too (chaos.h), but not in every run. A script brings them about: two owners of a partition,
// records that the broker loses behind a snapshot, rows that come twice or with a gap.
#pragma once

#include <string>

#include "apps/elastane/fleet/log_check.h"
#include "elastane/core/forecast/forecast_model.h"

namespace elastane::app {

// a script without a rule: the logs of forecasts and of snapshots are emptied, and everything is made again from the rows
inline constexpr const char* kCutLogs = "cut_logs";

// Plays the script of `rule`, one of serve::rule_names() or kCutLogs, on a fleet of its own, which is removed afterwards. With
// `is_broken` all parts leave the rule out; the faults are then what the rule prevents.
LogFaults play_scenario(const std::string& rule, bool is_broken, const std::string& url,
                        const SharedForecastModel& model);

}  // namespace elastane::app
