#include "lab/maze/play.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <stdexcept>

#include "elastane/io/file.h"
#include "lab/maze/map_file.h"
#include "lab/maze/recording.h"

namespace elastane::maze {
namespace {

std::optional<Cell> cell_of(const std::string& name, const std::vector<double>& given) {
  if (given.empty()) return std::nullopt;
  for (const double value : given) {
    // a larger coordinate is outside of every map, and might not fit into an int
    if (std::floor(value) == value && std::abs(value) <= 1e6) continue;
    throw std::runtime_error(
        fmt::format("[play] {}: expected a column and a row, counted from 0, found {}", name, fmt::join(given, ",")));
  }
  return Cell{static_cast<int>(given[0]), static_cast<int>(given[1])};
}

class MapPlay final : public lab::CustomEpisode {
 public:
  void declare(command_line::Command& play) override {
    play.option("--map", map_, "your own map (docs/howto/maze.md)").type("MAP");
    play.option("--start", start_, "start cell on that map").values(2).type("X,Y");
    play.option("--goal", goal_, "goal cell on that map").values(2).type("X,Y");
    play.option("--scenario", scenarios_, "a list of starts and goals for that map").type("SCEN");
    play.option("--scenario-number", number_, "which one of that list, counted from 1 (default: 1)").type("N");
    play.flag("--still", still_, "no wall changes");
  }
  bool is_wanted() const override {
    return map_ || scenarios_ || number_ || !start_.empty() || !goal_.empty() || still_;
  }

  lab::RecordingPointer record(const std::string& models, const benchmark::RecordingRequest& request) override {
    const Endpoints given = checked_endpoints();
    const Grid map = parse_map(text_of(*map_)).value();
    const MapScenario scenario = choose_scenario(map, scenarios_ ? endpoints_of_scenario(map) : given).value();
    // networks cannot make diagonal moves, so none is loaded
    const MazeBenchmark benchmark({.configs = load_agent_configs(models + "/maze.safetensors").value()},
                                  map_episodes("map", map, {scenario}, {.unchanging = still_}));
    auto recording = std::make_unique<MazeRecording>(maze::record(benchmark, request).value());
    recording->source = fmt::format("{}, seed {}, episode {}", *map_, recording->seed, recording->episode);
    return recording;
  }

 private:
  // start and goal as given; throws if the options do not fit together
  Endpoints checked_endpoints() const {
    if (!map_) {
      const char* which = start_.empty() ? "goal, scenario, scenario-number, still" : "start";
      throw std::runtime_error(fmt::format("[play] {}: expected a map; add --map FILE", which));
    }
    const Endpoints endpoints{.start = cell_of("start", start_), .goal = cell_of("goal", goal_)};
    if (number_ && !scenarios_)
      throw std::runtime_error("[play] scenario-number: expected a list to take it from; add --scenario FILE");
    if (scenarios_ && (endpoints.start || endpoints.goal))
      throw std::runtime_error("[play] scenario: expected without start and goal, found with them; leave one out");
    return endpoints;
  }

  Endpoints endpoints_of_scenario(const Grid& map) const {
    const auto scenarios = parse_scenarios(text_of(*scenarios_)).value();
    const int number = number_.value_or(1), count = static_cast<int>(scenarios.size());
    if (number < 1 || number > count) {
      throw std::runtime_error(
          fmt::format("[play] scenario-number: expected one of the {} in {}, counted from 1, found {}", count,
                      *scenarios_, number));
    }
    const MapScenario& scenario = scenarios[static_cast<std::size_t>(number - 1)];
    make_episode(map, scenario).value();  // throws if it does not belong to this map
    return {scenario.start, scenario.goal};
  }

  std::optional<std::string> map_, scenarios_;  // files
  std::optional<int> number_;                   // of the scenario in its list, counted from 1
  std::vector<double> start_, goal_;
  bool still_ = false;
};

}  // namespace

std::shared_ptr<lab::CustomEpisode> make_map_play() { return std::make_shared<MapPlay>(); }

}  // namespace elastane::maze
