// Forecasters on streams where nothing goes wrong: what adapting costs against the frozen read-out, and what share of the
// labels intervals cover.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/series/rough_streams.h"

namespace elastane::series {

// rows of one stream
struct QuietRows {
  std::size_t learn = 2'000, held_out = 400, test = 1'000;
};

struct QuietResult {
  Family family = Family::load;
  std::uint64_t seed = 0;
  int horizon = 1;
  QuietRows rows;
  double corrected = 0, frozen = 0;  // mean squared errors on the test rows
  double coverage = 0;               // of intervals of 90 %

  double above_frozen() const { return corrected / frozen - 1; }
};

struct QuietOptions {
  std::vector<Family> families;
  std::vector<QuietRows> rows = {{2'000, 400, 1'000}, {300, 80, 300}};
  std::vector<int> horizons = {1, 24};
  std::uint64_t first_seed = 501;
  int seeds = 5;
  std::function<void(double share, const std::string& doing)> progress = [](double, const std::string&) {};
};

// throws, with a message for the user, if a stream cannot be fitted
std::vector<QuietResult> compare_on_quiet_streams(const QuietOptions& options);

// one line for each family, length and horizon: the mean and the largest difference to frozen, and the range of coverages
std::string quiet_summary(const std::vector<QuietResult>& results);

}  // namespace elastane::series
