#include "apps/elastane/contests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "elastane/io/file.h"
#include "elastane/worlds/navigation/recording.h"
#include "elastane/worlds/peptide/contest.h"

namespace elastane::app {
namespace {

using Opened = Result<std::unique_ptr<contest::Contest>>;
using Recorded = Result<contest::Recording>;

struct Entry {
  const char* name;
  Opened (*open)(const std::string& models);
  Recorded (*record)(const std::string& models, const contest::RecordingRequest& request);
};

template <navigation::Mode mode>
Opened open_navigation(const std::string& models) {
  auto policies = navigation::load_policies(models);
  if (!policies) return Error{policies.error()};
  return std::unique_ptr<contest::Contest>(std::make_unique<navigation::NavigationContest>(*policies, mode));
}

template <navigation::Mode mode>
Recorded record_navigation(const std::string& models, const contest::RecordingRequest& request) {
  auto policies = navigation::load_policies(models);
  if (!policies) return Error{policies.error()};
  auto recording = navigation::record(navigation::NavigationContest(*policies, mode), request);
  if (!recording) return Error{recording.error()};
  return contest::Recording(std::move(*recording));
}

template <navigation::Mode mode>
constexpr Entry navigation_entry(const char* name) {
  return {name, open_navigation<mode>, record_navigation<mode>};
}

// one line a contest; what is missing is not in this build
constexpr std::array kContests = {
    navigation_entry<navigation::Mode::dragged>("navigation"),
    navigation_entry<navigation::Mode::moving>("navigation_moving"),
    navigation_entry<navigation::Mode::drifting>("navigation_drifting"),
    navigation_entry<navigation::Mode::blind>("navigation_blind"),
    navigation_entry<navigation::Mode::still>("navigation_still"),
    Entry{"peptide", peptide::make_contest, nullptr},
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

contest::Recording record_site(const std::string& file, const std::optional<std::array<double, 2>>& start,
                               const std::string& models, const contest::RecordingRequest& request) {
  const MappedFile mapped = MappedFile::open(file).value();
  const auto bytes = mapped.bytes();
  auto drawn = navigation::parse_site({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).value();
  if (start) drawn.start = navigation::Point{(*start)[0], (*start)[1]};
  const auto errand = navigation::make_errand(drawn, request.seed).value();
  const navigation::NavigationContest contest(navigation::load_policies(models).value(), navigation::Mode::dragged);
  contest::NavigationRecording recording = navigation::record(contest, errand, request).value();
  validate(recording).value();
  return recording;
}

std::vector<std::vector<std::string>> training_of(const std::string& name, const std::string& models) {
  const auto weights = [&](const char* file) { return fmt::format("{}/{}.safetensors", models, file); };
  if (name.starts_with("navigation")) {
    return {{"train", "navigation", "--seed", "1", "-o", weights("navigation")},
            {"train", "navigation", "--transformer", "--seed", "1", "-o", weights("navigation_transformer")}};
  }
  return {{"train", name, "-o", weights(name.c_str())}};
}

}  // namespace elastane::app
