// A model's configuration as JSON, the form it has in a model file. docs/model_format.md describes every key.
#pragma once

#include <string>
#include <string_view>

#include "elastane/core/network/model_config.h"

namespace elastane {

std::string config_to_json(const ModelConfig& config);

// unknown keys, wrong types and values out of range are refused by name
Result<ModelConfig> config_from_json(std::string_view text);

}  // namespace elastane
