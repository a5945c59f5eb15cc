// The rows of `elastane reproduce recall`: what one model did in one part of the study.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::recall {

struct RecallRow {
  std::string part, model;
  std::uint64_t seed = 0;
  //                                             meaning
  std::optional<std::int64_t> length, pairs;  // steps, and pairs or keys or needles or regimes among them
  std::optional<double> accuracy;             // share that is right; of streams the error, as the part says
  std::optional<double> accuracy_changed;  // of what got a second value; of regimes the error after the first ten steps
  std::optional<std::int64_t> state_bytes;
  std::optional<double> write_share, p50_us, bits_per_byte, train_seconds;
};

// every field under its name, null where it was not measured
nlohmann::ordered_json to_json(const RecallRow& row);
RecallRow row_of(const nlohmann::ordered_json& json);

// A journal of trainings, a row per line. An incomplete last line, left by a crash, is dropped; a journal that does not
// exist is empty.
Result<std::vector<RecallRow>> read_rows(const std::string& path);
void append_row(const std::string& path, const RecallRow& row);

}  // namespace elastane::recall
