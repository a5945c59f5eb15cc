// The study behind `elastane reproduce frost`: which networks are trained, what is measured, and its tables.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/depth_rows.h"

namespace elastane::frost {

inline constexpr const char* kParts[] = {"certificates", "mazes",  "changes", "parity",  "images",
                                         "cosines",      "losses", "lambda",  "streams", "speed"};

struct StudyOptions {
  std::vector<std::string> parts = {};  // none: all
  std::string journal = "reproduce-frost.jsonl";
  std::string images = "build/images";  // what experiments/frost/fetch_images.mjs made
  int seeds = 5, rival_seeds = 2;
  int first_seed = 21;           // of trainings; smaller ones were looked at while training was designed
  std::int64_t cases = 100'000;  // of every form, for certificates
};

bool has_part(const StudyOptions& options, const std::string& part);

// arguments of elastane-train for every network whose rows the journal lacks
std::vector<std::vector<std::string>> missing_calls(const std::vector<benchmark::DepthRow>& journal,
                                                    const StudyOptions& options);

// the newest row of each kind, with those of the parts that need no training measured now
std::vector<benchmark::DepthRow> study_rows(const std::vector<benchmark::DepthRow>& journal,
                                            const StudyOptions& options);

// a table in Markdown for every part
std::string tables(const std::vector<benchmark::DepthRow>& rows, const StudyOptions& options);

}  // namespace elastane::frost
