// Forecasters as files: what training made, and where a stream of rows stands.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/forecast/forecaster.h"

namespace elastane {

// a safetensors file whose metadata hold the configuration under "elastane_forecast"; all numbers are stored exactly
Result<std::vector<std::byte>> format_forecast_model(const ForecastModel& model,
                                                     std::map<std::string, std::string> metadata = {});
Result<ForecastModel> parse_forecast_model(std::span<const std::byte> bytes, const std::string& source);

Status save_forecast_model(const std::string& path, const ForecastModel& model,
                           std::map<std::string, std::string> metadata = {});
Result<SharedForecastModel> load_forecast_model(const std::string& path);

// is it one, as far as its metadata say? A file that cannot be read is none
bool is_forecast_model(std::span<const std::byte> bytes);

}  // namespace elastane
