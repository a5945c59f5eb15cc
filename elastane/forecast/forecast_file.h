// Fitted forecasters as files.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/forecast/forecast_model.h"

namespace elastane {

// A safetensors file whose metadata hold the configuration under "elastane_forecast". All numbers are stored exactly.
Result<std::vector<std::byte>> format_forecast_model(const ForecastModel& model,
                                                     std::map<std::string, std::string> metadata = {});
Result<ForecastModel> parse_forecast_model(std::span<const std::byte> bytes, const std::string& source);

Status save_forecast_model(const std::string& path, const ForecastModel& model,
                           std::map<std::string, std::string> metadata = {});
Result<SharedForecastModel> load_forecast_model(const std::string& path);

// true if the metadata say that it is one; false for a file that cannot be read
bool is_forecast_model(std::span<const std::byte> bytes);

}  // namespace elastane
