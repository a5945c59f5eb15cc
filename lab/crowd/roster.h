// The agents of the crossing: straight line and ORCA as baselines, ours, and ours with a part removed. The data, with
// reference figures and the settings that tuning tries, are experiments/crowdnav/settings/roster.json.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/crowd/corrected_agent.h"

namespace elastane::crowd {

// over the 500 cases, measured with the reference program
struct Reference {
  double success = 0;
  std::optional<double> collision, time;
};

struct RosterEntry {
  std::string name;
  std::function<std::unique_ptr<Agent>(std::size_t people)> make;
  std::optional<Reference> reference = {};
};

// changes an option by its name: "depth", "margin", …; throws std::runtime_error for an unknown name
void set_option(CorrectedOptions& options, const std::string& name, double value);

// the last one is ours as it was tuned, with this budget for each of its corrections
std::vector<RosterEntry> roster(const Budget& budget);

// of crowds of any density, from experiments/crowdnav/settings/dense.json; the last one is ours
std::vector<RosterEntry> dense_roster();

// ours, then ours with one setting changed at a time
std::vector<RosterEntry> tried_settings();

}  // namespace elastane::crowd
