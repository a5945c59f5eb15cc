// Learned metrics as files of their own, for latents without a model file: safetensors of doubles, diagonal (d) and factor
// (r x d).
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/metric/metric_weights.h"

namespace elastane {

Result<std::vector<std::byte>> format_metric(const MetricWeights& weights,
                                             std::map<std::string, std::string> metadata = {});
Result<MetricWeights> parse_metric_file(std::span<const std::byte> bytes, const std::string& source);

Status save_metric(const std::string& path, const MetricWeights& weights,
                   std::map<std::string, std::string> metadata = {});
Result<MetricWeights> load_metric(const std::string& path);

}  // namespace elastane
