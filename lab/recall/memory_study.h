// The study behind `elastane reproduce recall`: which models each part compares, and the rows that they give.
//
// Parts with given keys are run here. Parts with learned keys are trained by elastane-train, which appends rows to a
// journal; here the journal is read, and the calls that it still lacks are listed.
#pragma once

#include <string>
#include <vector>

#include "lab/recall/recall_rows.h"

namespace elastane::recall {

inline constexpr const char* kMemoryParts[] = {"copy_exact", "mqar",    "rebind",  "copy",     "rules", "gates",
                                               "needles",    "devices", "regimes", "language", "cost",  "sizes"};

struct MemoryStudyOptions {
  std::vector<std::string> parts = {};  // none: all
  int seeds = 5;
  std::int64_t needle_steps = 1'000'000;
  std::int64_t tokens = 2 << 20;  // of the cost part
  std::string journal = "reproduce-recall.jsonl";

  bool has(const std::string& part) const;
};

std::vector<RecallRow> copy_exact_rows(const MemoryStudyOptions& options);
std::vector<RecallRow> rule_rows(const MemoryStudyOptions& options);  // capacity, and re-binding of given keys
std::vector<RecallRow> gate_rows(const MemoryStudyOptions& options);  // recurring keys: surprise, budget, chance
std::vector<RecallRow> needle_rows(const MemoryStudyOptions& options);
std::vector<RecallRow> device_rows(const MemoryStudyOptions& options);
std::vector<RecallRow> regime_rows(const MemoryStudyOptions& options);
std::vector<RecallRow> cost_rows(const MemoryStudyOptions& options);
std::vector<RecallRow> size_rows(const MemoryStudyOptions& options);  // recall and microseconds by heads and sizes
// of the journal
std::vector<RecallRow> trained_rows(const std::string& part, const std::vector<RecallRow>& journal);

// arguments of elastane-train for everything that the journal lacks
std::vector<std::vector<std::string>> missing_trainings(const std::vector<RecallRow>& journal,
                                                        const MemoryStudyOptions& options);

}  // namespace elastane::recall
