// Anytime attention on recall and needle: streaming heads that may read a few more blocks of keys, chosen by a rule.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lab/recall/glass_model.h"

namespace elastane::recall {

struct AnytimeOptions {
  int length = 208;  // 13 blocks: sink, two of the window, and ten that are not seen
  int prompts = 24;  // per task and position
  std::vector<int> extra = {0, 1, 2, 4, 10};
};

// accuracy by rule and number of blocks beyond sink and window, as a table; rows as those of the study
std::string anytime_table(const GlassModel& model, const std::string& backbone, const AnytimeOptions& options,
                          nlohmann::ordered_json& rows);

}  // namespace elastane::recall
