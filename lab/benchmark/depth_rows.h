// One measurement of a study of depth, as a JSON object and as a line of its journal. `elastane reproduce frost` has them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::benchmark {

inline constexpr double kNotMeasured = -1;

struct DepthRow {
  std::string part, task, method;
  int size = 0;  // side of a grid, bits, steps; of cases, the width
  std::uint64_t seed = 0;
  double solved = kNotMeasured;    // share of episodes in which every answer is right
  double accuracy = kNotMeasured;  // share of answers that are right; of streams, the mean squared error
  double accuracy_at_3t = kNotMeasured;
  double mean_depth = kNotMeasured, oracle_depth = kNotMeasured;
  double spearman = kNotMeasured;  // of depth and what should need it
  double violations = kNotMeasured, cases = kNotMeasured;
  double macs = kNotMeasured;  // per episode or step
  double p50_us = kNotMeasured;
  std::vector<double> curve = {};  // accuracy at each depth, or what the part says
  std::string command = {};

  bool operator==(const DepthRow&) const = default;
};

nlohmann::ordered_json to_json(const DepthRow& row);
DepthRow depth_row_of(const nlohmann::json& json);  // throws nlohmann::json::exception

// a journal that does not exist is empty; an incomplete last line, left by a crash, is dropped
Result<std::vector<DepthRow>> read_depth_rows(const std::string& path);
void append(const std::string& path, const DepthRow& row);

// Spearman's rank correlation; ties share their mean rank. NaN where one of them is constant
double spearman(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace elastane::benchmark
