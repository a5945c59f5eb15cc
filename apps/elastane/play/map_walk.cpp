#include "apps/elastane/play/map_walk.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "elastane/io/file.h"
#include "lab/maze/recording.h"

namespace elastane::app {
namespace {

std::string text_of(const std::string& path) {
  const MappedFile file = MappedFile::open(path).value();
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

std::optional<maze::Cell> cell_of(const std::string& name, const std::vector<double>& given) {
  if (given.empty()) return std::nullopt;
  for (const double value : given) {
    // beyond any map is outside of this one, too, and fits into an int
    if (std::floor(value) == value && std::abs(value) <= 1e6) continue;
    throw std::runtime_error(
        fmt::format("[play] {}: expected a column and a row, counted from 0, found {}", name, fmt::join(given, ",")));
  }
  return maze::Cell{static_cast<int>(given[0]), static_cast<int>(given[1])};
}

maze::MapEnds ends_of_scenario(const maze::Grid& map, const MapWalk& walk) {
  const auto errands = maze::parse_errands(text_of(*walk.scenario)).value();
  const int which = walk.errand.value_or(1), count = static_cast<int>(errands.size());
  if (which < 1 || which > count) {
    throw std::runtime_error(fmt::format("[play] errand: expected one of the {} in {}, counted from 1, found {}", count,
                                         *walk.scenario, which));
  }
  const maze::MapErrand& errand = errands[static_cast<std::size_t>(which - 1)];
  maze::make_task(map, errand).value();  // it belongs to this map
  return {errand.start, errand.goal};
}

}  // namespace

void add_map_options(CLI::App& verb, MapWalk& walk) {
  verb.add_option("--map", walk.map, "maze: a map of one's own (docs/howto/maze.md)")->type_name("MAP");
  verb.add_option("--goal", walk.goal, "on that map, where to")->delimiter(',')->expected(2)->type_name("X,Y");
  verb.add_option("--scenario", walk.scenario, "on that map, a list of starts and goals")->type_name("SCEN");
  verb.add_option("--errand", walk.errand, "of that list, counted from 1 (default: 1)")->type_name("N");
  verb.add_flag("--still", walk.still, "on that map, no wall changes");
}

benchmark::MazeRecording record_map(const MapWalk& walk, const std::vector<double>& start, const std::string& models,
                                    const benchmark::RecordingRequest& request) {
  if (!walk.map) {
    throw std::runtime_error("[play] goal, scenario, errand, still: expected a map to walk over; add --map FILE");
  }
  maze::MapEnds ends{.start = cell_of("start", start), .goal = cell_of("goal", walk.goal)};
  if (walk.errand && !walk.scenario)
    throw std::runtime_error("[play] errand: expected a list to take it from; add --scenario FILE");
  if (walk.scenario && (ends.start || ends.goal))
    throw std::runtime_error("[play] scenario: expected without start and goal, found with them; leave one out");

  const maze::Grid map = maze::parse_map(text_of(*walk.map)).value();
  if (walk.scenario) ends = ends_of_scenario(map, walk);
  const maze::MapErrand errand = maze::choose_errand(map, ends).value();
  // networks know no diagonal moves, so none is loaded
  const maze::MazeBenchmark benchmark({.minds = maze::load_minds(models + "/maze.safetensors").value()},
                                      maze::map_course("map", map, {errand}, {.still = walk.still}));
  benchmark::MazeRecording recording = maze::record(benchmark, request).value();
  validate(recording).value();
  return recording;
}

}  // namespace elastane::app
