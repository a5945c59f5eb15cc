// Claims and published figures as data: what experiments/<world>/settings holds.
//
//   [{"text": "at most half of its clashes", "agent": "exact", "rival": "frozen", "measure": "violations", "aim": 0.5}, …]
//   {"success": 0.85, "steps": 40, "violations": 3.6, "regret": 0.1, "p99_ms": 3.9}            each figure is optional
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "lab/benchmark/benchmark.h"

namespace elastane::benchmark {

// throw what is wrong with the text
std::vector<Claim> parse_claims(std::string_view text);
Published parse_published(const nlohmann::json& figures);

}  // namespace elastane::benchmark
