#include "lab/navigation/recording.h"

#include <algorithm>

#include "lab/benchmark/recording_checks.h"
#include "lab/navigation/story.h"

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

// where it means to drive, in the world
std::vector<Point> plan_of(std::span<const Point> way, Point from) {
  std::vector<Point> plan;
  for (const Point stop : way) plan.push_back(from + stop);
  return plan;
}

// one of the line-up at the wheel: an agent, or the oracle, which is none
class Driver {
 public:
  Driver(const Entrant& who, const Policies& policies, const Place& place) : oracle_(place) {
    if (who.oracle) return;
    agent_ = who.tried[static_cast<std::size_t>(who.chosen)].make(policies);
    agent_->begin();
  }

  Point act(const Drive& drive, const Sight& sight) {
    if (agent_) return agent_->act(sight);
    const Point command = oracle_.act(drive);
    oracle_.route().plan(drive.position(), kStride, planned_);
    return command;
  }
  std::span<const Point> way() const { return agent_ ? agent_->way() : planned_; }
  StepReport report() const { return agent_ ? agent_->report() : StepReport{}; }

 private:
  std::unique_ptr<Agent> agent_;
  Oracle oracle_;
  std::array<Point, kStops> planned_ = {};
};

NavigationAgent record_agent(const Entrant& who, const Policies& policies, const Place& place,
                             const Scenario& scenario) {
  NavigationAgent out;
  Drive drive(place.site, scenario);
  Driver driver(who, policies, place);
  while (!drive.over()) {
    const Sight sight = drive.look();
    const Point command = driver.act(drive, sight);
    NavigationStep step{.moment = {},
                        .position = drive.position(),
                        .plan = plan_of(driver.way(), drive.position()),
                        .rays = {sight.rays.begin(), sight.rays.end()}};
    drive.move(command);
    step.moment = moment_of(driver.report(), drive.touched());
    out.steps.push_back(std::move(step));
  }
  out.end = drive.position();
  out.caption = {.name = who.card.name,
                 .what = who.card.what,
                 .success = drive.arrived(),
                 .steps = drive.step(),
                 .violations = drive.contacts()};
  return out;
}

void record_site(const Site& site, const Scenario& scenario, NavigationRecording& r) {
  r.columns = kColumns;
  for (int row = 0; row < kColumns; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      r.heights.push_back(site.height({(column + 0.5) / kColumns, (row + 0.5) / kColumns}));
    }
  }
  for (const Barrier& b : site.barriers) r.walls.push_back(b);
  const bool drops = drops_crate(scenario);
  for (int i = 0; i < static_cast<int>(site.discs.size()); ++i) {
    const Disc& disc = site.discs[static_cast<std::size_t>(i)];
    if (drops && i == scenario.crate) {
      r.dragged = {disc.radius, disc.centre, scenario.dropped, scenario.change_at};
    } else {
      r.discs.push_back(disc);
    }
  }
  r.start = scenario.start;
  r.goal = site.dock;
  r.goal_radius = kArrived;
  r.body = kBody;
  r.range = kRange;
}

// what goes on by itself, for as long as somebody drives
void record_happenings(const Scenario& scenario, int steps, NavigationRecording& r) {
  for (int step = 0; step <= steps; ++step) {
    if (!scenario.patrols.empty()) {
      std::vector<Disc>& discs = r.moving.emplace_back();
      for (const Patrol& patrol : scenario.patrols) discs.push_back(patrol.at(step));
    }
    if (scenario.mode == Mode::drifting) r.wind.push_back(scenario.air(step).wind);
  }
  r.events = events_of(scenario, steps);
}

Result<const Entrant*> entrant_of(const NavigationBenchmark& benchmark, const std::string& name) {
  std::string names;
  for (int i = 0; i < static_cast<int>(benchmark.agents().size()); ++i) {
    const Entrant& entrant = benchmark.entrant(i);
    if (entrant.card.name == name) return &entrant;
    names += (i > 0 ? ", " : "") + entrant.card.name;
  }
  return Error{"[agents] " + name + ": expected some of " + names};
}

Result<NavigationRecording> record(const NavigationBenchmark& benchmark, const Place& place, const Scenario& scenario,
                                   std::vector<std::string> names) {
  if (names.empty()) names = shown_agents(benchmark.mode());
  if (names.size() > kMostShown) {
    return Error{"[agents] expected at most " + std::to_string(kMostShown) + " side by side, found " +
                 std::to_string(names.size())};
  }
  NavigationRecording r;
  record_site(place.site, scenario, r);
  int longest = 0;
  for (const std::string& name : names) {
    const auto entrant = entrant_of(benchmark, name);
    if (!entrant) return Error{entrant.error()};
    r.agents.push_back(record_agent(**entrant, benchmark.policies(), place, scenario));
    longest = std::max(longest, r.agents.back().caption.steps);
  }
  record_happenings(scenario, longest, r);
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
  const Scenario& scenario = benchmark.task(request.seed, request.episode).scenario;
  auto r = record(benchmark, benchmark.place(benchmark.site_of(request.episode)), scenario, request.agents);
  if (!r) return r;
  r->seed = request.seed;
  r->episode = request.episode;
  r->title = title_of(scenario);
  r->story = story_of(scenario);
  return r;
}

Result<NavigationRecording> record(const NavigationBenchmark& benchmark, const Errand& errand,
                                   const benchmark::RecordingRequest& request) {
  auto r = record(benchmark, errand.place, errand.scenario, request.agents);
  if (!r) return r;
  r->seed = request.seed;
  r->title = "A drive over a site of somebody's own";
  r->story = "The policy does not know this site: it has learned " + std::to_string(kSites) +
             " others by heart, and here it can only go by its rays and by where the green dock lies.";
  if (r->dragged) {
    r->story += " At step " + std::to_string(r->dragged->at) + " a crate is pushed onto the site from its edge.";
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
