// A row of an evaluation as JSON. For programs that have nlohmann/json; the library's other headers do without.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/series/evaluate.h"

namespace elastane::series {

inline nlohmann::ordered_json as_json(const Judged& j, const std::string& data, int horizon, std::uint64_t seed) {
  return {{"data", data},
          {"horizon", horizon},
          {"method", j.method},
          {"metric", j.metric},
          {"seed", seed},
          {"mse", j.mse},
          {"mae", j.mae},
          {"coverage", j.coverage},
          {"p50_us", j.p50_us},
          {"p99_us", j.p99_us},
          {"p99_first_tenth_us", j.p99_first_tenth_us},
          {"p99_last_tenth_us", j.p99_last_tenth_us},
          {"depth", j.depth},
          {"alarms_per_10000", j.alarms},
          {"rows", j.rows}};
}

}  // namespace elastane::series
