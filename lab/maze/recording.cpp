#include "lab/maze/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/benchmark/recording_checks.h"

namespace elastane::maze {
namespace {

// Starts for the heat map: fewer on large maps, where episodes have more steps and each step takes longer.
constexpr std::size_t kMaxStarts = 512, kMinStarts = 16, kLargeMap = 64 * 64;  // the last in cells
std::size_t max_starts(const Grid& grid) {
  const std::size_t large = std::max<std::size_t>(1, static_cast<std::size_t>(grid.cells()) / kLargeMap);
  return std::max(kMinStarts, kMaxStarts / (large * large));
}

// length of the path from every cell, by the agent's map
std::vector<int> lengths_of(const Agent& agent, const Grid& grid) {
  const auto* with_map = dynamic_cast<const MapAgent*>(&agent);
  if (with_map == nullptr) return {};
  const MapLatent& map = with_map->map();
  std::vector<int> lengths;
  for (int i = 0; i < grid.cells(); ++i) {
    const double value = map.value(grid.cell(i));
    lengths.push_back(value > 0 ? static_cast<int>(std::lround(std::log(value) / std::log(map.discount(0)))) : -1);
  }
  return lengths;
}

MazeAgent record_agent(const RosterEntry& entry, const Episode& episode, Agent& agent) {
  MazeAgent out;
  Environment environment(episode);
  agent.begin(episode);
  int bumps = 0;
  std::vector<int> last;
  while (!environment.over()) {
    MazeStep step{.moment = {}, .position = environment.position(), .lengths = {}};
    agent.watch(environment);
    const int move = agent.act(environment.observe());
    if (std::vector<int> lengths = lengths_of(agent, episode.before); lengths != last) step.lengths = last = lengths;
    environment.step(move);
    bumps += environment.bumped() ? 1 : 0;
    const StepReport& report = agent.report();
    step.moment = {.depth = report.depth,
                   .radius = 0,  // policy iteration has no trust region
                   .loss_before = report.loss_before,
                   .loss_after = report.loss_after,
                   .violation = environment.bumped()};
    out.steps.push_back(std::move(step));
  }
  out.end = environment.position();
  out.caption = {.name = entry.card.name,
                 .what = entry.card.what,
                 .success = environment.arrived() && environment.ratio() <= kSuccessRatio,
                 .steps = environment.steps(),
                 .violations = bumps};
  return out;
}

// mean K at every cell, over episodes from all free cells that are far enough from the goal, or from every n-th of them
// on large maps
std::vector<double> heat_of(Episode episode, Agent& agent) {
  const auto cells = static_cast<std::size_t>(episode.before.cells());
  std::vector<double> sums(cells), visits(cells);
  const std::vector<double> lengths = distances_to(episode.before, episode.goal, episode.moves);
  std::vector<int> starts;
  for (int from = 0; from < episode.before.cells(); ++from) {
    const double length = lengths[static_cast<std::size_t>(from)];
    if (length >= episode.before.width() / 2 && length <= kLongestShownPath) starts.push_back(from);
  }
  const std::size_t most = max_starts(episode.before), every = (starts.size() + most - 1) / most;
  for (std::size_t i = 0; i < starts.size(); i += every) {
    episode.start = episode.before.cell(starts[i]);
    episode.shortest = lengths[static_cast<std::size_t>(starts[i])];
    Environment environment(episode);
    agent.begin(episode);
    while (!environment.over()) {
      const auto at = static_cast<std::size_t>(episode.before.index(environment.position()));
      agent.watch(environment);
      environment.step(agent.act(environment.observe()));
      sums[at] += agent.report().depth;
      visits[at] += 1;
    }
  }
  for (std::size_t i = 0; i < cells; ++i) {
    sums[i] = visits[i] > 0 ? sums[i] / visits[i] : std::numeric_limits<double>::quiet_NaN();
  }
  return sums;
}

void record_maze(const Episode& episode, MazeRecording& r) {
  r.width = episode.before.width();
  r.height = episode.before.height();
  for (int i = 0; i < episode.before.cells(); ++i) r.walls.push_back(episode.before.is_wall(i) ? 1 : 0);
  for (const Cell door : episode.doors) {
    r.doors.push_back({door, episode.before.is_wall(door), episode.after.is_wall(door)});
  }
  r.change_at = episode.change_at == kNever || episode.doors.empty() ? -1 : episode.change_at;
  r.start = episode.start;
  r.goal = episode.goal;
  r.shortest = episode.shortest;
}

std::string whole(double length) { return std::to_string(static_cast<int>(std::lround(length))); }
std::string place_name(Cell c) { return "(" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")"; }

std::string change_of_walls(const Episode& episode) {
  if (episode.doors.empty()) return "No wall changes.";
  const auto closing = std::ranges::count_if(episode.doors, [&](Cell door) { return episode.after.is_wall(door); });
  const auto opening = static_cast<std::ptrdiff_t>(episode.doors.size()) - closing;
  return "From step " + std::to_string(episode.change_at) + " on, cells of the shortest path are closed (" +
         std::to_string(closing) + ") and walls are open (" + std::to_string(opening) + "), without notice.";
}

std::string map_text(const Episode& episode) {
  return "Agents have the map, see the neighbouring cells and no farther, and walk from " + place_name(episode.start) +
         " to the green goal at " + place_name(episode.goal) +
         ", columns and rows counted from 0; straight or diagonally, "
         "never cutting a corner. " +
         change_of_walls(episode) + " On the map as given, the shortest path has length " + whole(episode.shortest) +
         "; up to three times that is a success. Colours show how often a step was refined. The agents were "
         "trained on other mazes, with four moves.";
}

std::string lattice_text(const Episode& episode) {
  const auto closed = std::ranges::count_if(episode.doors, [&](Cell door) { return episode.before.is_wall(door); });
  return "Agents see the neighbouring cells and no farther, and must find the green goal. They expect corridors "
         "between "
         "all nodes; " +
         std::to_string(closed) + " of " + std::to_string(episode.doors.size()) + " doors are closed, and at step " +
         std::to_string(episode.change_at) + " some open and others close. With full knowledge the path takes " +
         whole(episode.shortest) +
         " steps; three times as many are allowed. Colours show how often a step was refined.";
}

Result<int> agent_index(const MazeBenchmark& benchmark, const std::string& name) {
  std::string names;
  for (int i = 0; i < static_cast<int>(benchmark.agents().size()); ++i) {
    const std::string& each = benchmark.agents()[static_cast<std::size_t>(i)].name;
    if (each == name) return i;
    names += (i > 0 ? ", " : "") + each;
  }
  const bool diagonal = benchmark.source().shape.moves == Moves::eight;
  return Error{"[agents] " + name + ": expected some of " + names +
               (diagonal ? "; others cannot make diagonal moves" : "")};
}

}  // namespace

std::vector<std::string> shown_agents(const MazeBenchmark& benchmark) {
  std::vector<std::string> shown = {"k0", "esm"};
  for (const char* network : {"transformer", "ssm"}) {
    if (shown.size() < 3 && agent_index(benchmark, network)) shown.insert(shown.begin(), network);
  }
  if (shown.size() < 3) shown.emplace_back("replanner");
  return shown;
}

Result<MazeRecording> record(const MazeBenchmark& benchmark, const benchmark::RecordingRequest& request) {
  if (request.episode < 0) return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  const std::vector<std::string> names = request.agents.empty() ? shown_agents(benchmark) : request.agents;
  if (names.size() > kMaxShown) {
    return Error{"[agents] expected at most " + std::to_string(kMaxShown) + " side by side, found " +
                 std::to_string(names.size())};
  }
  const Episode episode = benchmark.source().draw(request.seed, request.episode);
  MazeRecording r;
  r.seed = request.seed;
  r.episode = request.episode;
  const bool lattice = episode.pitch > 0;
  r.title = lattice ? "A maze with doors that change" : "An episode on your own map";
  r.summary = lattice ? lattice_text(episode) : map_text(episode);
  record_maze(episode, r);
  for (const std::string& name : names) {
    const auto place = agent_index(benchmark, name);
    if (!place) return Error{place.error()};
    const RosterEntry& entry = benchmark.entry(*place);
    const std::unique_ptr<Agent> agent = entry.make(benchmark.source().shape);
    r.agents.push_back(record_agent(entry, episode, *agent));
    r.agents.back().heat = heat_of(episode, *agent);
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
