#include "apps/elastane/contests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace elastane::app {
namespace {

using Opened = Result<std::unique_ptr<contest::Contest>>;
using Recorded = Result<contest::Recording>;

struct Entry {
  const char* name;
  Opened (*open)(const std::string& models);
  Recorded (*record)(const std::string& models, const contest::RecordingRequest& request);
};

// one line a contest; what is missing is not in this build
constexpr std::array kContests = {
    Entry{"navigation", nullptr, nullptr},
    Entry{"peptide", nullptr, nullptr},
};

const Entry& entry_of(const std::string& name) {
  const auto at = std::ranges::find_if(kContests, [&](const Entry& e) { return e.name == name; });
  if (at == kContests.end()) throw std::runtime_error(fmt::format("[contest] {}: expected one that there is", name));
  return *at;
}

[[noreturn]] void not_here(const std::string& name) {
  throw std::runtime_error(fmt::format("[contest] {}: not in this build", name));
}

}  // namespace

std::vector<std::string> contest_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kContests) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<contest::Contest> open_contest(const std::string& name, const std::string& models) {
  const Entry& entry = entry_of(name);
  if (entry.open == nullptr) not_here(name);
  return entry.open(models).value();
}

contest::Recording record_episode(const std::string& name, const std::string& models,
                                  const contest::RecordingRequest& request) {
  const Entry& entry = entry_of(name);
  if (entry.record == nullptr) not_here(name);
  contest::Recording recording = entry.record(models, request).value();
  std::visit([](const auto& r) { validate(r).value(); }, recording);
  return recording;
}

std::vector<std::vector<std::string>> training_of(const std::string& name, const std::string& models) {
  return {{"train", name, "-o", fmt::format("{}/{}.safetensors", models, name)}};
}

}  // namespace elastane::app
