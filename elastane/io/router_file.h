// Routers of attention heads as files: safetensors of doubles, so that a loaded router is exactly the one that was trained.
//
// The metadata entry "elastane_router" says what the numbers mean:
// {"format": 1, "model": "0123456789abcdef", "layers": [1, 0]}: the fingerprint that `elastane inspect` shows, and for every
// attention block whether it has a router. Tensors of block i begin with "i.task." and "i.route.".
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/backbone/head_router.h"
#include "elastane/io/gate_file.h"  // save_router and load_router

namespace elastane {

Result<std::vector<std::byte>> format_router(const RouterWeights& router,
                                             std::map<std::string, std::string> metadata = {});
Result<RouterWeights> parse_router(std::span<const std::byte> bytes, const std::string& source);

// do these bytes say that they are a router?
bool is_router(std::span<const std::byte> bytes);

}  // namespace elastane
