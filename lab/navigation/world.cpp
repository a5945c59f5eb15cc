#include "lab/navigation/world.h"

#include <stdexcept>

#include "elastane/io/file.h"
#include "lab/navigation/recording.h"
#include "lab/navigation/site_file.h"

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

// the agents on a site that the user drew (docs/howto/site.md)
class CustomSite final : public lab::CustomEpisode {
 public:
  void declare(command_line::Command& play) override {
    play.option("--site", file_, "your own site (docs/howto/site.md)").type("JSON");
    play.option("--start", start_, "start position on that site").values(2).type("X,Y");
  }
  bool is_wanted() const override { return !file_.empty() || !start_.empty(); }

  lab::RecordingPointer record(const std::string& models, const benchmark::RecordingRequest& request) override {
    if (file_.empty()) throw std::runtime_error("[play] start: expected a site to drive on; add --site FILE");
    const MappedFile mapped = MappedFile::open(file_).value();
    const auto bytes = mapped.bytes();
    auto drawn = parse_site({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).value();
    if (!start_.empty()) drawn.start = Point{start_[0], start_[1]};
    const auto errand = make_errand(drawn, request.seed).value();
    const NavigationBenchmark benchmark(load_policies(models).value(), Mode::dragged);
    auto recording = std::make_unique<NavigationRecording>(navigation::record(benchmark, errand, request).value());
    recording->source = file_;
    return recording;
  }

 private:
  std::string file_;
  std::vector<double> start_;
};

std::vector<std::vector<std::string>> training(const std::string& models) {
  const auto weights = [&](const char* file) { return models + "/" + file + ".safetensors"; };
  return {{"train", "navigation", "--seed", "1", "-o", weights("navigation")},
          {"train", "navigation", "--transformer", "--seed", "1", "-o", weights("navigation_transformer")}};
}

lab::BenchmarkEntry entry(const std::string& name, const std::string& what, Mode mode) {
  return {
      .name = name,
      .what = what,
      .cost = "",
      .open = [mode](const std::string& models) { return open(models, mode); },
      .record = [mode](const std::string& models,
                       const benchmark::RecordingRequest& request) { return record_episode(models, mode, request); },
      .training = training};
}

}  // namespace

lab::World world() {
  lab::World world{.name = "navigation", .what = "A robot drives home over known sites"};
  world.benchmarks = {entry("navigation", "A crate is dragged onto the path", Mode::dragged),
                      entry("navigation_moving", "Patrols cross the path", Mode::moving),
                      entry("navigation_drifting", "Wind, and a drive that weakens", Mode::drifting),
                      entry("navigation_blind", "The rays fail again and again", Mode::blind),
                      entry("navigation_still", "Nothing changes", Mode::still)};
  world.benchmarks.front().custom = std::make_shared<CustomSite>();
  return world;
}

}  // namespace elastane::navigation
