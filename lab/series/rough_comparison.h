// Forecasters on rough streams: how much one disturbance costs, phase by phase, ours and simple methods on the same rows.
//
// A phase is a range of rows at which forecasts are made, counted from the disturbance. Errors are mean squares in units
// of the rows to learn from; after a change of unit they are divided by it. Rows at fault are not judged.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/series/rough_streams.h"

namespace elastane::series {

inline constexpr std::array<const char*, 5> kPhases = {"before", "0-24", "24-200", "200-600", "later"};

struct RoughResult {
  RoughKind kind;
  Family family = Family::load;
  std::uint64_t seed = 0;
  int horizon = 1;
  std::string method;                           // "corrected", "today" or a simple one
  std::array<double, kPhases.size()> error{};   // by phase
  double from_24 = 0, best_simple_from_24 = 0;  // over all rows from 24 on
  // phase of `corrected` and `today`: the simple method with the least error
  std::array<std::string, kPhases.size()> best_simple;
  std::array<double, kPhases.size()> best_simple_error{};
};

struct RoughComparisonOptions {
  std::vector<Family> families;  // of the disturbed streams; the seeds take turns
  std::vector<RoughKind> kinds;
  std::vector<int> horizons = {1, 24};
  std::uint64_t first_seed = 101;
  int seeds = 5;
  bool with_simple = true;  // run the simple methods too
  std::function<void(double share, const std::string& doing)> progress = [](double, const std::string&) {};
};

std::vector<RoughKind> all_rough_kinds();

// throws, with a message for the user, if a stream cannot be fitted
std::vector<RoughResult> compare_on_rough_streams(const RoughComparisonOptions& options);

}  // namespace elastane::series
