// Who crosses: the reference's rivals, ours, and ours with a part taken away; and the settings that tuning tries.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/crowd/corrected_agent.h"

namespace elastane::crowd {

// over the 500 cases, with the reference's own program
struct Reference {
  double success;
  std::optional<double> collision, time;
};

struct Entrant {
  std::string name;
  std::function<std::unique_ptr<Agent>(std::size_t people)> make;
  std::optional<Reference> reference = {};
};

inline constexpr const char* kOurs = "corrected plan";
inline constexpr const char* kToBeat = "ORCA, safety .20 m";

// ours as it was tuned, within this budget for each of its corrections
std::vector<Entrant> entrants(const Budget& budget);

// one change at a time of the settings that won
std::vector<Entrant> settings_to_try();

}  // namespace elastane::crowd
