// Lines of a study by kind: what the tables are made of.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lab/benchmark/statistics.h"
#include "lab/recall/study.h"

namespace elastane::recall {

using Lines = std::vector<const StudyLine*>;
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// lines of one method, for chosen tasks, positions and seeds
struct Filter {
  std::string part, backbone, method, setting = "";
  std::optional<std::string> task = {}, position = {};
  std::optional<std::uint64_t> seed = {};
};

// the newest of each kind, in the order of tasks, positions and seeds
Lines lines_of(const Study& study, const Filter& f);

// means over lines; not a number if there are none
template <class Value>
double mean(const Lines& lines, Value value) {
  if (lines.empty()) return kNaN;
  double total = 0;
  for (const StudyLine* line : lines) total += value(*line);
  return total / static_cast<double>(lines.size());
}
double accuracy(const Lines& lines);
double share(const Lines& lines);  // of sparse heads

std::vector<std::uint64_t> seeds_of(const Study& study, const Filter& f);
benchmark::Estimate over_seeds(const Study& study, Filter f, double (*value)(const Lines&));

// dense does not depend on the seed: one line per task and position
Lines dense_lines(const Study& study, Filter f);

// the static lines with as many full heads as the router has on average, rounded up
Filter static_of(const Study& study, const Filter& router);

}  // namespace elastane::recall
