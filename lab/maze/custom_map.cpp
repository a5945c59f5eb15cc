#include "lab/maze/custom_map.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <stdexcept>

#include "elastane/io/file.h"
#include "lab/maze/map_file.h"
#include "lab/maze/recording.h"

namespace elastane::maze {
namespace {

std::string text_of(const std::string& path) {
  const MappedFile file = MappedFile::open(path).value();
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

std::optional<Cell> cell_of(const std::string& name, const std::vector<double>& given) {
  if (given.empty()) return std::nullopt;
  for (const double value : given) {
    // beyond any map is outside of this one, too, and fits into an int
    if (std::floor(value) == value && std::abs(value) <= 1e6) continue;
    throw std::runtime_error(
        fmt::format("[play] {}: expected a column and a row, counted from 0, found {}", name, fmt::join(given, ",")));
  }
  return Cell{static_cast<int>(given[0]), static_cast<int>(given[1])};
}

class CustomMap final : public lab::CustomEpisode {
 public:
  void declare(command_line::Command& play) override {
    play.option("--map", map_, "your own map (docs/howto/maze.md)").type("MAP");
    play.option("--start", start_, "start cell on that map").values(2).type("X,Y");
    play.option("--goal", goal_, "goal cell on that map").values(2).type("X,Y");
    play.option("--scenario", scenario_, "a list of starts and goals for that map").type("SCEN");
    play.option("--errand", errand_, "which one of that list, counted from 1 (default: 1)").type("N");
    play.flag("--still", still_, "no wall changes");
  }
  bool is_wanted() const override {
    return map_ || scenario_ || errand_ || !start_.empty() || !goal_.empty() || still_;
  }

  lab::RecordingPointer record(const std::string& models, const benchmark::RecordingRequest& request) override {
    if (!map_) {
      throw std::runtime_error(start_.empty()
                                   ? "[play] goal, scenario, errand, still: expected a map to walk over; add --map FILE"
                                   : "[play] start: expected a map to walk over; add --map FILE");
    }
    Endpoints ends{.start = cell_of("start", start_), .goal = cell_of("goal", goal_)};
    if (errand_ && !scenario_)
      throw std::runtime_error("[play] errand: expected a list to take it from; add --scenario FILE");
    if (scenario_ && (ends.start || ends.goal))
      throw std::runtime_error("[play] scenario: expected without start and goal, found with them; leave one out");

    const Grid map = parse_map(text_of(*map_)).value();
    if (scenario_) ends = ends_of_scenario(map);
    const MapScenario errand = choose_scenario(map, ends).value();
    // networks know no diagonal moves, so none is loaded
    const MazeBenchmark benchmark({.configs = load_agent_configs(models + "/maze.safetensors").value()},
                                  map_episodes("map", map, {errand}, {.unchanging = still_}));
    auto recording = std::make_unique<MazeRecording>(maze::record(benchmark, request).value());
    recording->source = fmt::format("{}, seed {}, episode {}", *map_, recording->seed, recording->episode);
    return recording;
  }

 private:
  Endpoints ends_of_scenario(const Grid& map) const {
    const auto errands = parse_scenarios(text_of(*scenario_)).value();
    const int which = errand_.value_or(1), count = static_cast<int>(errands.size());
    if (which < 1 || which > count) {
      throw std::runtime_error(fmt::format("[play] errand: expected one of the {} in {}, counted from 1, found {}",
                                           count, *scenario_, which));
    }
    const MapScenario& errand = errands[static_cast<std::size_t>(which - 1)];
    make_episode(map, errand).value();  // it belongs to this map
    return {errand.start, errand.goal};
  }

  std::optional<std::string> map_, scenario_;  // files
  std::optional<int> errand_;                  // of the scenario, counted from 1
  std::vector<double> start_, goal_;
  bool still_ = false;
};

}  // namespace

std::shared_ptr<lab::CustomEpisode> make_custom_map() { return std::make_shared<CustomMap>(); }

}  // namespace elastane::maze
