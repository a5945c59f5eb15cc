// Prompts up to far longer than those of training, run by the engine: full heads, a router, streaming heads alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elastane/core/allocation/scoring_network.h"
#include "elastane/io/model_file.h"

namespace elastane::recall {

struct LengthOptions {
  std::vector<int> lengths = {128, 1024, 4096, 16384, 32768, 65536};
  // per task; of longer prompts as many as make so many steps, three at least: one for each position
  int prompts = 48;
  int steps = 98304;
};

// accuracy, share of blocks that were not read and milliseconds per prompt, as a table; rows as those of the study
std::string length_table(const ModelFile& model, const RouterWeights& router, const std::string& backbone,
                         const LengthOptions& options, nlohmann::ordered_json& rows);

}  // namespace elastane::recall
