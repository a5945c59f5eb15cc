// The contests that this program knows by name, and how their weights are learned.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/worlds/contest/contest.h"

namespace elastane::app {

std::vector<std::string> contest_names();

// with the weights that lie in `models`; throws what is wrong
std::unique_ptr<contest::Contest> open_contest(const std::string& name, const std::string& models);

// arguments of elastane-train, call by call, that put a contest's weights into `models`
std::vector<std::vector<std::string>> training_of(const std::string& name, const std::string& models);

}  // namespace elastane::app
