#include "apps/elastane/contests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace elastane::app {
namespace {

using Opened = Result<std::unique_ptr<contest::Contest>>;

struct Entry {
  const char* name;
  Opened (*open)(const std::string& models);
};

// one line a contest
constexpr std::array kContests = {
    Entry{"navigation", nullptr},
    Entry{"peptide", nullptr},
};

}  // namespace

std::vector<std::string> contest_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kContests) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<contest::Contest> open_contest(const std::string& name, const std::string& models) {
  for (const Entry& entry : kContests) {
    if (entry.name == name && entry.open != nullptr) return entry.open(models).value();
  }
  throw std::runtime_error(fmt::format("[contest] {}: not in this build", name));
}

std::vector<std::vector<std::string>> training_of(const std::string& name, const std::string& models) {
  return {{"train", name, "-o", fmt::format("{}/{}.safetensors", models, name)}};
}

}  // namespace elastane::app
