// Learned gates as files: safetensors of doubles, so that a loaded gate is exactly the gate that was trained.
//
// The metadata entry "elastane_gate" says what the numbers mean: {"format": 1, "sees": "loss", "readout": "argmax"}.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/allocation/scoring_network.h"
#include "elastane/core/gate/learned_gate.h"

namespace elastane {

Result<std::vector<std::byte>> format_gate(const LearnedGate& gate, std::map<std::string, std::string> metadata = {});
Result<LearnedGate> parse_gate(std::span<const std::byte> bytes, const std::string& source);

Status save_gate(const std::string& path, const LearnedGate& gate, std::map<std::string, std::string> metadata = {});
Result<LearnedGate> load_gate(const std::string& path);

// Routers of attention heads, likewise; router_file.h has the format.
Status save_router(const std::string& path, const RouterWeights& router,
                   std::map<std::string, std::string> metadata = {});
Result<RouterWeights> load_router(const std::string& path);

}  // namespace elastane
