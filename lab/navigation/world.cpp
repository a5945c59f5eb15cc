#include "lab/navigation/world.h"

#include "lab/navigation/endless.h"
#include "lab/navigation/play.h"
#include "lab/navigation/recording.h"
#include "lab/navigation/tuning.h"

namespace elastane::navigation {
namespace {

Result<std::unique_ptr<benchmark::Benchmark>> open(const std::string& models, Mode mode) {
  auto policies = load_policies(models);
  if (!policies) return Error{policies.error()};
  return std::unique_ptr<benchmark::Benchmark>(std::make_unique<NavigationBenchmark>(*policies, mode));
}

Result<lab::RecordingPointer> record_episode(const std::string& models, Mode mode,
                                             const benchmark::RecordingRequest& request) {
  auto policies = load_policies(models);
  if (!policies) return Error{policies.error()};
  auto recording = record(NavigationBenchmark(*policies, mode), request);
  if (!recording) return Error{recording.error()};
  return lab::RecordingPointer(std::make_unique<NavigationRecording>(std::move(*recording)));
}

std::vector<std::vector<std::string>> training(const std::string& models) {
  const auto weights = [&](const char* file) { return models + "/" + file + ".safetensors"; };
  return {{"train", "navigation", "--seed", "1", "-o", weights("navigation")},
          {"train", "navigation", "--transformer", "--seed", "1", "-o", weights("navigation_transformer")}};
}

lab::BenchmarkEntry entry(const std::string& name, const std::string& what, Mode mode) {
  return {
      .name = name,
      .what = what,
      .cost = "3 minutes",
      .open = [mode](const std::string& models) { return open(models, mode); },
      .record = [mode](const std::string& models,
                       const benchmark::RecordingRequest& request) { return record_episode(models, mode, request); },
      .training = training};
}

}  // namespace

lab::World world() {
  lab::World world{.name = "navigation", .what = "A robot drives home over known sites"};
  world.benchmarks = {
      entry("navigation", "A crate is placed on the path", Mode::dragged),
      entry("navigation_moving", "Patrols cross the path", Mode::moving),
      entry("navigation_drifting", "Wind rises, and the drive weakens", Mode::drifting),
      entry("navigation_blind", "The rays fail repeatedly, and a crate is placed on the path", Mode::blind),
      entry("navigation_windy", "A crate is placed on the path, and wind blows", Mode::windy),
      entry("navigation_lost", "A crate is placed on the path, and the observed dock drifts", Mode::lost),
      entry("navigation_still", "Nothing changes", Mode::still)};
  world.benchmarks.front().custom = custom_site();
  world.reproductions = {tuning_reproduction(), endless_reproduction()};
  return world;
}

}  // namespace elastane::navigation
