// The methods that are compared: one corrector setting each.
#pragma once

#include <string>
#include <vector>

#include "elastane/core/corrector/corrector.h"

namespace elastane::drifting_target {

struct RosterEntry {
  std::string name;
  CorrectorOptions options;
  bool ordered = false;  // part of the claim, which orders these from best to worst
};
std::vector<RosterEntry> make_roster();

}  // namespace elastane::drifting_target
