#include "lab/navigation/play.h"

#include <stdexcept>

#include "elastane/io/file.h"
#include "lab/navigation/recording.h"
#include "lab/navigation/scenario.h"

namespace elastane::navigation {
namespace {

class CustomSite final : public lab::CustomEpisode {
 public:
  void declare(command_line::Command& play) override {
    play.option("--site", file_, "your own site (docs/howto/site.md)").type("JSON");
    play.option("--start", start_, "start position on that site").values(2).type("X,Y");
  }
  bool is_wanted() const override { return !file_.empty() || !start_.empty(); }

  lab::RecordingPointer record(const std::string& models, const benchmark::RecordingRequest& request) override {
    if (file_.empty()) throw std::runtime_error("[play] start: expected a site to drive on; add --site FILE");
    const FileContent mapped = FileContent::open(file_).value();
    const auto bytes = mapped.bytes();
    SiteFile file = parse_site({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).value();
    if (!start_.empty()) file.start = Vec2{start_[0], start_[1]};
    const Scenario scenario = make_scenario(file, request.seed).value();
    const NavigationBenchmark benchmark(load_policies(models).value(), Mode::dragged);
    auto recording = std::make_unique<NavigationRecording>(navigation::record(benchmark, scenario, request).value());
    recording->source = file_;
    return recording;
  }

 private:
  std::string file_;
  std::vector<double> start_;
};

}  // namespace

std::shared_ptr<lab::CustomEpisode> custom_site() { return std::make_shared<CustomSite>(); }

}  // namespace elastane::navigation
