#include "lab/maze/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/benchmark/recording_checks.h"

namespace elastane::maze {
namespace {

// Walks for the heat: fewer over large maps, where both their steps are more and each takes longer.
constexpr std::size_t kMostStarts = 512, kFewestStarts = 16, kLargeMap = 64 * 64;  // the last in cells
std::size_t most_starts(const Grid& grid) {
  const std::size_t large = std::max<std::size_t>(1, static_cast<std::size_t>(grid.cells()) / kLargeMap);
  return std::max(kFewestStarts, kMostStarts / (large * large));
}

// what a map says of the way from every cell
std::vector<int> lengths_of(const Agent& agent, const Grid& grid) {
  const auto* with_map = dynamic_cast<const MapAgent*>(&agent);
  if (with_map == nullptr) return {};
  const MapLatent& map = with_map->map();
  std::vector<int> lengths;
  for (int i = 0; i < grid.cells(); ++i) {
    const double worth = map.value(grid.cell(i));
    lengths.push_back(worth > 0 ? static_cast<int>(std::lround(std::log(worth) / std::log(map.discount(0)))) : -1);
  }
  return lengths;
}

MazeAgent record_walk(const Entrant& who, const Task& task, Agent& agent) {
  MazeAgent out;
  Walk walk(task);
  agent.begin(task);
  int bumps = 0;
  std::vector<int> last;
  while (!walk.over()) {
    MazeStep step{.moment = {}, .position = walk.position(), .lengths = {}};
    agent.watch(walk);
    const int way = agent.act(walk.look());
    if (std::vector<int> lengths = lengths_of(agent, task.before); lengths != last) step.lengths = last = lengths;
    walk.move(way);
    bumps += walk.bumped() ? 1 : 0;
    const StepReport& report = agent.report();
    step.moment = {.depth = report.depth,
                   .radius = 0,  // a step of policy iteration knows no trust region
                   .loss_before = report.loss_before,
                   .loss_after = report.loss_after,
                   .violation = walk.bumped()};
    out.steps.push_back(std::move(step));
  }
  out.end = walk.position();
  out.caption = {.name = who.card.name,
                 .what = who.card.what,
                 .success = walk.arrived() && walk.ratio() <= kWithin,
                 .steps = walk.step(),
                 .violations = bumps};
  return out;
}

// mean K at every cell, over walks from free cells that are far enough from the goal: all of them, but every n-th where
// there are very many
std::vector<double> heat_of(Task task, Agent& agent) {
  const auto cells = static_cast<std::size_t>(task.before.cells());
  std::vector<double> sums(cells), visits(cells);
  const std::vector<double> lengths = lengths_to(task.before, task.goal, task.moves);
  std::vector<int> starts;
  for (int from = 0; from < task.before.cells(); ++from) {
    const double length = lengths[static_cast<std::size_t>(from)];
    if (length >= task.before.width() / 2 && length <= kMostShownWay) starts.push_back(from);
  }
  const std::size_t most = most_starts(task.before), every = (starts.size() + most - 1) / most;
  for (std::size_t i = 0; i < starts.size(); i += every) {
    task.start = task.before.cell(starts[i]);
    task.shortest = lengths[static_cast<std::size_t>(starts[i])];
    Walk walk(task);
    agent.begin(task);
    while (!walk.over()) {
      const auto at = static_cast<std::size_t>(task.before.index(walk.position()));
      agent.watch(walk);
      walk.move(agent.act(walk.look()));
      sums[at] += agent.report().depth;
      visits[at] += 1;
    }
  }
  for (std::size_t i = 0; i < cells; ++i) {
    sums[i] = visits[i] > 0 ? sums[i] / visits[i] : std::numeric_limits<double>::quiet_NaN();
  }
  return sums;
}

void record_maze(const Task& task, MazeRecording& r) {
  r.width = task.before.width();
  r.height = task.before.height();
  for (int i = 0; i < task.before.cells(); ++i) r.walls.push_back(task.before.is_wall(i) ? 1 : 0);
  for (const Cell door : task.doors) {
    r.doors.push_back({door, task.before.is_wall(door), task.after.is_wall(door)});
  }
  r.change_at = task.change_at == kNever || task.doors.empty() ? -1 : task.change_at;
  r.start = task.start;
  r.goal = task.goal;
  r.shortest = task.shortest;
}

std::string whole(double length) { return std::to_string(static_cast<int>(std::lround(length))); }
std::string place_name(Cell c) { return "(" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")"; }

std::string change_of_walls(const Task& task) {
  if (task.doors.empty()) return "No wall changes.";
  const auto closing = std::ranges::count_if(task.doors, [&](Cell door) { return task.after.is_wall(door); });
  const auto opening = static_cast<std::ptrdiff_t>(task.doors.size()) - closing;
  return "From step " + std::to_string(task.change_at) + " on, cells of the shortest way are closed (" +
         std::to_string(closing) + ") and walls are open (" + std::to_string(opening) + "), of which nobody is told.";
}

std::string story_of_map(const Task& task) {
  return "Walkers have the map, see the cells beside them and no farther, and go from " + place_name(task.start) +
         " to the green goal at " + place_name(task.goal) +
         ", columns and rows counted from 0; straight or diagonally, "
         "but around no corner. " +
         change_of_walls(task) + " As the map is drawn, the shortest way has length " + whole(task.shortest) +
         "; three times as long is a success. Colours say how often a step was refined. They "
         "learned on other mazes, with four moves.";
}

std::string story_of_lattice(const Task& task) {
  const auto closed = std::ranges::count_if(task.doors, [&](Cell door) { return task.before.is_wall(door); });
  return "Walkers see the cells beside them and no farther, and must find the green goal. They expect corridors "
         "between "
         "all nodes; " +
         std::to_string(closed) + " of " + std::to_string(task.doors.size()) + " doors are closed, and at step " +
         std::to_string(task.change_at) + " some open and others close. Who knows the maze needs " +
         whole(task.shortest) + " steps; three times as many are allowed. Colours say how often a step was refined.";
}

Result<int> place_of(const MazeBenchmark& benchmark, const std::string& name) {
  std::string names;
  for (int i = 0; i < static_cast<int>(benchmark.agents().size()); ++i) {
    const std::string& each = benchmark.agents()[static_cast<std::size_t>(i)].name;
    if (each == name) return i;
    names += (i > 0 ? ", " : "") + each;
  }
  const bool diagonal = benchmark.course().shape.moves == Moves::eight;
  return Error{"[agents] " + name + ": expected some of " + names +
               (diagonal ? "; others know no diagonal moves" : "")};
}

}  // namespace

std::vector<std::string> shown_agents(const MazeBenchmark& benchmark) {
  std::vector<std::string> shown = {"k0", "esm"};
  for (const char* network : {"transformer", "ssm"}) {
    if (shown.size() < 3 && place_of(benchmark, network)) shown.insert(shown.begin(), network);
  }
  if (shown.size() < 3) shown.emplace_back("replanner");
  return shown;
}

Result<MazeRecording> record(const MazeBenchmark& benchmark, const benchmark::RecordingRequest& request) {
  if (request.episode < 0) return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  const std::vector<std::string> names = request.agents.empty() ? shown_agents(benchmark) : request.agents;
  if (names.size() > kMostShown) {
    return Error{"[agents] expected at most " + std::to_string(kMostShown) + " side by side, found " +
                 std::to_string(names.size())};
  }
  const Task task = benchmark.course().draw(request.seed, request.episode);
  MazeRecording r;
  r.seed = request.seed;
  r.episode = request.episode;
  const bool lattice = task.pitch > 0;
  r.title = lattice ? "A maze with doors that change" : "A walk over a map of somebody's own";
  r.story = lattice ? story_of_lattice(task) : story_of_map(task);
  record_maze(task, r);
  for (const std::string& name : names) {
    const auto place = place_of(benchmark, name);
    if (!place) return Error{place.error()};
    const Entrant& who = benchmark.entrant(*place);
    const std::unique_ptr<Agent> agent = who.make(benchmark.course().shape);
    r.agents.push_back(record_walk(who, task, *agent));
    r.agents.back().heat = heat_of(task, *agent);
  }
  return r;
}

Status MazeRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  const auto cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (walls.size() != cells) return benchmark::wrong_size("walls", cells, walls.size());
  for (const MazeAgent& agent : agents) {
    if (agent.heat.size() != cells)
      return benchmark::wrong_size(agent.caption.name + ", heat", cells, agent.heat.size());
    for (const MazeStep& step : agent.steps) {
      if (!step.lengths.empty() && step.lengths.size() != cells)
        return benchmark::wrong_size(agent.caption.name + ", lengths", cells, step.lengths.size());
    }
  }
  return {};
}

}  // namespace elastane::maze
