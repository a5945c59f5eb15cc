#include "elastane/worlds/maze/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elastane::maze {
namespace {

using contest::MazeAgent;
using contest::MazeRecording;
using contest::MazeStep;

contest::MazeCell shown(Cell c) { return {c.x, c.y}; }

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
  while (!walk.over()) {
    MazeStep step{.moment = {}, .position = shown(walk.position()), .lengths = {}};
    agent.watch(walk);
    const int way = agent.act(walk.look());
    step.lengths = lengths_of(agent, task.before);
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
  out.end = shown(walk.position());
  out.caption = {.name = who.card.name,
                 .what = who.card.what,
                 .success = walk.arrived() && walk.ratio() <= kWithin,
                 .steps = walk.step(),
                 .violations = bumps};
  return out;
}

// mean K at every cell, over walks from every free cell that is far enough from the goal
std::vector<double> heat_of(Task task, Agent& agent) {
  const auto cells = static_cast<std::size_t>(task.before.cells());
  std::vector<double> sums(cells), visits(cells);
  for (int from = 0; from < task.before.cells(); ++from) {
    if (task.before.is_wall(from)) continue;
    task.start = task.before.cell(from);
    measure(task);
    if (!(task.shortest >= task.before.width() / 2 && task.shortest < kNoWay)) continue;
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
    r.doors.push_back({shown(door), task.before.is_wall(door), task.after.is_wall(door)});
  }
  r.change_at = task.change_at == kNever ? -1 : task.change_at;
  r.start = shown(task.start);
  r.goal = shown(task.goal);
  r.shortest = task.shortest;
}

std::string story_of(const Task& task) {
  const auto closed = std::ranges::count_if(task.doors, [&](Cell door) { return task.before.is_wall(door); });
  return "Walkers see the cells beside them and no farther, and must find the green goal. They expect corridors "
         "between "
         "all nodes; " +
         std::to_string(closed) + " of " + std::to_string(task.doors.size()) + " doors are closed, and at step " +
         std::to_string(task.change_at) + " some open and others close. Who knows the maze needs " +
         std::to_string(static_cast<int>(std::lround(task.shortest))) +
         " steps; three times as many are allowed. Colours say how often a step was refined.";
}

Result<int> place_of(const MazeContest& contest, const std::string& name) {
  std::string names;
  for (int i = 0; i < static_cast<int>(contest.agents().size()); ++i) {
    const std::string& each = contest.agents()[static_cast<std::size_t>(i)].name;
    if (each == name) return i;
    names += (i > 0 ? ", " : "") + each;
  }
  return Error{"[agents] " + name + ": expected some of " + names};
}

}  // namespace

std::vector<std::string> shown_agents(const MazeContest& contest) {
  std::vector<std::string> shown = {"k0", "esm"};
  for (const char* network : {"transformer", "ssm"}) {
    if (shown.size() < 3 && place_of(contest, network)) shown.insert(shown.begin(), network);
  }
  return shown;
}

Result<MazeRecording> record(const MazeContest& contest, const contest::RecordingRequest& request) {
  if (request.episode < 0) return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  const std::vector<std::string> names = request.agents.empty() ? shown_agents(contest) : request.agents;
  if (names.size() > kMostShown) {
    return Error{"[agents] expected at most " + std::to_string(kMostShown) + " side by side, found " +
                 std::to_string(names.size())};
  }
  const Task task = contest.course().draw(request.seed, request.episode);
  MazeRecording r;
  r.seed = request.seed;
  r.episode = request.episode;
  r.title = "A maze with doors that change";
  r.story = story_of(task);
  record_maze(task, r);
  for (const std::string& name : names) {
    const auto place = place_of(contest, name);
    if (!place) return Error{place.error()};
    const Entrant& who = contest.entrant(*place);
    const std::unique_ptr<Agent> agent = who.make(contest.course().shape);
    r.agents.push_back(record_walk(who, task, *agent));
    r.agents.back().heat = heat_of(task, *agent);
  }
  return r;
}

}  // namespace elastane::maze
