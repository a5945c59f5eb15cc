// A row of a comparison as JSON. Needs nlohmann/json, which the other headers do without.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/series/comparison.h"

namespace elastane::series {

inline nlohmann::ordered_json as_json(const MethodResult& j, const std::string& data, int horizon, std::uint64_t seed) {
  return {{"data", data},
          {"horizon", horizon},
          {"method", j.method},
          {"metric", j.metric},
          {"seed", seed},
          {"mse", j.score.mse},
          {"mae", j.score.mae},
          {"coverage", j.score.coverage},
          {"width", j.score.width},
          {"pinball", j.score.pinball},
          {"crps", j.score.crps},
          {"mase", j.score.mase},
          {"mse_by_step", j.score.mse_by_step},
          {"mse_by_window", j.score.mse_by_window},
          {"p50_us", j.score.p50_us},
          {"p99_us", j.score.p99_us},
          {"p99_first_tenth_us", j.score.p99_first_tenth_us},
          {"p99_last_tenth_us", j.score.p99_last_tenth_us},
          {"depth", j.score.depth},
          {"alarms_per_10000", j.score.alarms},
          {"rows", j.score.rows}};
}

}  // namespace elastane::series
