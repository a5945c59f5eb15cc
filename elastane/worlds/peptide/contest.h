// The peptide table as a contest: every agent on the same episodes.
#pragma once

#include <memory>
#include <string>

#include "elastane/core/base/result.h"
#include "elastane/worlds/contest/contest.h"

namespace elastane::peptide {

// with the networks of a folder
Result<std::unique_ptr<contest::Contest>> make_contest(const std::string& models);

}  // namespace elastane::peptide
