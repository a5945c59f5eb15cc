#include "lab/navigation/recording.h"

#include <algorithm>

#include "lab/benchmark/recording_checks.h"
#include "lab/navigation/caption.h"
#include "lab/navigation/expert.h"

namespace elastane::navigation {
namespace {

constexpr int kColumns = 64;  // of the height field

benchmark::Moment moment_of(const StepReport& report, bool touched) {
  return {.depth = report.depth,
          .radius = report.radius,
          .loss_before = report.loss_before,
          .loss_after = report.loss_after,
          .violation = touched};
}

// the planned path, in the world
std::vector<Vec2> plan_of(std::span<const Vec2> path, Vec2 from) {
  std::vector<Vec2> plan;
  for (const Vec2 waypoint : path) plan.push_back(from + waypoint);
  return plan;
}

// an agent of the roster, or the oracle
class Driver {
 public:
  Driver(const RosterEntry& entry, const Policies& policies, const RoutedSite& site) : oracle_(site) {
    if (entry.oracle) return;
    agent_ = entry.setting().make(policies);
    agent_->begin();
  }

  Vec2 act(const Environment& environment, const Observation& observation) {
    if (agent_) return agent_->act(observation);
    const Vec2 command = oracle_.act(environment);
    oracle_.route().plan(environment.position(), kStride, planned_);
    return command;
  }
  std::span<const Vec2> path() const { return agent_ ? agent_->path() : planned_; }
  StepReport report() const { return agent_ ? agent_->report() : StepReport{}; }

 private:
  std::unique_ptr<Agent> agent_;
  Oracle oracle_;
  std::array<Vec2, kWaypoints> planned_ = {};
};

NavigationAgent record_agent(const RosterEntry& entry, const Policies& policies, const RoutedSite& site,
                             const Episode& episode) {
  NavigationAgent out;
  Environment environment(site.site, episode);
  Driver driver(entry, policies, site);
  while (!environment.over()) {
    const Observation observation = environment.observe();
    const Vec2 command = driver.act(environment, observation);
    NavigationStep step{.moment = {},
                        .position = environment.position(),
                        .plan = plan_of(driver.path(), environment.position()),
                        .rays = {observation.rays.begin(), observation.rays.end()}};
    environment.step(command);
    step.moment = moment_of(driver.report(), environment.touched());
    out.steps.push_back(std::move(step));
  }
  out.end = environment.position();
  out.caption = {.name = entry.card.name,
                 .what = entry.card.what,
                 .success = environment.arrived(),
                 .steps = environment.steps(),
                 .violations = environment.contacts()};
  return out;
}

void record_site(const Site& site, const Episode& episode, NavigationRecording& r) {
  r.columns = kColumns;
  for (int row = 0; row < kColumns; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      r.heights.push_back(site.height({(column + 0.5) / kColumns, (row + 0.5) / kColumns}));
    }
  }
  for (const Barrier& b : site.barriers) r.walls.push_back(b);
  const bool crate = episode.crate_arrives();
  for (int i = 0; i < static_cast<int>(site.discs.size()); ++i) {
    const Disc& disc = site.discs[static_cast<std::size_t>(i)];
    if (crate && i == episode.crate) {
      r.dragged = {disc.radius, disc.centre, episode.dropped, episode.change_at};
    } else {
      r.discs.push_back(disc);
    }
  }
  r.start = episode.start;
  r.goal = site.dock;
  r.goal_radius = kArrived;
  r.body = kBody;
  r.range = kRange;
}

// what happens whatever the agents do, as long as one of them drives
void record_events(const Episode& episode, int steps, NavigationRecording& r) {
  for (int step = 0; step <= steps; ++step) {
    if (!episode.patrols.empty()) {
      std::vector<Disc>& discs = r.moving.emplace_back();
      for (const Patrol& patrol : episode.patrols) discs.push_back(patrol.at(step));
    }
    if (has_wind(episode.mode)) r.wind.push_back(episode.disturbance(step).wind);
  }
  r.events = events_of(episode, steps);
}

Result<const RosterEntry*> entry_of(const NavigationBenchmark& benchmark, const std::string& name) {
  std::string names;
  for (int i = 0; i < static_cast<int>(benchmark.agents().size()); ++i) {
    const RosterEntry& entry = benchmark.entry(i);
    if (entry.card.name == name) return &entry;
    names += (i > 0 ? ", " : "") + entry.card.name;
  }
  return Error{"[agents] unknown agent \"" + name + "\", expected one of " + names};
}

Result<NavigationRecording> record_drive(const NavigationBenchmark& benchmark, const RoutedSite& site,
                                         const Episode& episode, std::vector<std::string> names) {
  if (names.empty()) names = shown_agents(benchmark.mode());
  if (names.size() > kMostShown) {
    return Error{"[agents] expected at most " + std::to_string(kMostShown) + " side by side, found " +
                 std::to_string(names.size())};
  }
  NavigationRecording r;
  record_site(site.site, episode, r);
  int longest = 0;
  for (const std::string& name : names) {
    const auto entry = entry_of(benchmark, name);
    if (!entry) return Error{entry.error()};
    r.agents.push_back(record_agent(**entry, benchmark.policies(), site, episode));
    longest = std::max(longest, r.agents.back().caption.steps);
  }
  record_events(episode, longest, r);
  return r;
}

}  // namespace

std::vector<std::string> shown_agents(Mode mode) {
  if (mode == Mode::drifting) return {"frozen", "kalman", "persistent"};
  return {"frozen", "way", "exact_way"};
}

Result<NavigationRecording> record(const NavigationBenchmark& benchmark, const benchmark::RecordingRequest& request) {
  if (request.episode < 0) {
    return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  }
  const Episode& episode = benchmark.episode(request.seed, request.episode);
  auto r = record_drive(benchmark, benchmark.site(benchmark.site_of(request.episode)), episode, request.agents);
  if (!r) return r;
  r->seed = request.seed;
  r->episode = request.episode;
  r->title = title_of(episode);
  r->summary = caption_of(episode);
  return r;
}

Result<NavigationRecording> record(const NavigationBenchmark& benchmark, const Scenario& scenario,
                                   const benchmark::RecordingRequest& request) {
  auto r = record_drive(benchmark, scenario.site, scenario.episode, request.agents);
  if (!r) return r;
  r->seed = request.seed;
  r->title = "A drive over a custom site";
  r->summary = "The policy does not know this site: it was trained on " + std::to_string(kSites) +
               " others. Here it has only its rays and the position of the green dock.";
  if (r->dragged) {
    r->summary += " At step " + std::to_string(r->dragged->at) + " a crate is moved onto the site from its edge.";
  }
  return r;
}

Status NavigationRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  const auto cells = static_cast<std::size_t>(columns) * static_cast<std::size_t>(columns);
  if (columns < 0 || heights.size() != cells) return benchmark::wrong_size("heights", cells, heights.size());
  for (const auto& there : moving) {
    if (there.size() != moving.front().size())
      return benchmark::wrong_size("moving discs", moving.front().size(), there.size());
  }
  return {};
}

}  // namespace elastane::navigation
