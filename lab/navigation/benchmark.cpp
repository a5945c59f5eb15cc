#include "lab/navigation/benchmark.h"

#include <algorithm>

#include "elastane/core/base/checksum.h"
#include "elastane/core/base/clock.h"
#include "lab/navigation/expert.h"

namespace elastane::navigation {
namespace {

using benchmark::Claim;
using benchmark::Measure;

constexpr int kLookAgain = 8;  // steps after which the oracle plans anew, where things move all the time

bool drops_crate(Mode mode) { return mode == Mode::dragged || mode == Mode::blind; }

// when it began to be different
int change_of(const Scenario& scenario) {
  if (drops_crate(scenario.mode)) return scenario.change_at;
  return scenario.mode == Mode::drifting ? scenario.air_at : 0;
}

int kind_of(const Scenario& scenario) {
  return drops_crate(scenario.mode) ? scenario.when * kCrates + scenario.crate : 0;
}

// what a drive came to, as far as the drive knows it
benchmark::Outcome outcome_of(const Drive& drive, const Task& task) {
  benchmark::Outcome outcome;
  outcome.kind = kind_of(task.scenario);
  outcome.success = drive.arrived();
  outcome.steps = outcome.success ? drive.step() : kLimit;
  outcome.steps_after_change = std::max(0, outcome.steps - change_of(task.scenario));
  outcome.violations = drive.contacts();
  outcome.regret = task.best > 0 ? static_cast<double>(outcome.steps - task.best) / task.best : 0;
  return outcome;
}

class AgentPlayer final : public benchmark::Player {
 public:
  AgentPlayer(const NavigationBenchmark& benchmark, std::unique_ptr<Agent> agent)
      : contest_(benchmark), agent_(std::move(agent)) {}

  benchmark::Outcome play(std::uint64_t seed, int episode, benchmark::Latency& latency) override {
    const int site = contest_.site_of(episode);
    benchmark::Outcome outcome = navigation::play(*agent_, contest_.place(site), contest_.task(seed, episode), latency);
    outcome.world = site;
    return outcome;
  }

 private:
  const NavigationBenchmark& contest_;
  std::unique_ptr<Agent> agent_;
};

class OraclePlayer final : public benchmark::Player {
 public:
  explicit OraclePlayer(const NavigationBenchmark& benchmark) : contest_(benchmark) {}

  benchmark::Outcome play(std::uint64_t seed, int episode, benchmark::Latency& latency) override {
    const int site = contest_.site_of(episode);
    const Task& task = contest_.task(seed, episode);
    Drive drive(contest_.place(site).site, task.scenario);
    Oracle oracle(contest_.place(site));
    while (!drive.over()) {
      const double begun = now_micros();
      const Point command = oracle.act(drive);
      latency.add(now_micros() - begun);
      drive.move(command);
    }
    benchmark::Outcome outcome = outcome_of(drive, task);
    outcome.world = site;
    return outcome;
  }

 private:
  const NavigationBenchmark& contest_;
};

// the pullback row that did best on the tuning sites, so that nothing is chosen by the benchmark itself
std::string pullback_of(Mode mode) { return mode == Mode::dragged ? "cg" : "exact_way"; }

std::vector<Claim> claims_of(Mode mode) {
  const std::string ours = mode == Mode::drifting ? "persistent" : pullback_of(mode);
  std::vector<Claim> claims;
  const auto claim = [&](std::string text, const std::string& agent, std::string rival, Measure measure, double aim) {
    claims.push_back({std::move(text), {agent}, std::move(rival), measure, aim});
  };
  if (mode == Mode::dragged) {
    claim("pullback: .10 more success than frozen", ours, "frozen", Measure::success, 0.10);
    claim("… at most half its violations", ours, "frozen", Measure::violations, 0.5);
    claim("… more success than Euclidean at equal time", ours, "euclidean_time", Measure::success, 0);
    claim("… at most two thirds of its violations", ours, "euclidean_time", Measure::violations, 2.0 / 3);
    claim("the corrected form beats the literal one", "sketch", "literal", Measure::success, 0);
  }
  claim("a latent correction beats plan-space correction", ours, "way", Measure::success, 0);
  claim("… and receding-horizon control over 3 stops", ours, "mpc_3", Measure::success, 0);
  claim("… and over 8 stops", ours, "mpc_8", Measure::success, 0);
  if (mode == Mode::drifting) {
    claim("… and a Kalman filter that knows the drive", ours, "kalman", Measure::success, 0);
  }
  return claims;
}

}  // namespace

Result<Policies> load_policies(const std::string& folder) {
  auto selective = Model::load(folder + "/navigation.safetensors");
  if (!selective) return Error{selective.error()};
  auto transformer = Model::load(folder + "/navigation_transformer.safetensors");
  if (!transformer) return Error{transformer.error()};
  for (const Model* model : {&*selective, &*transformer}) {
    if (model->inputs() != kInputs || model->outputs() != kOutputs) {
      return Error{"[navigation] " + folder + ": expected policies with " + std::to_string(kInputs) + " inputs and " +
                   std::to_string(kOutputs) + " outputs, found " + std::to_string(model->inputs()) + " and " +
                   std::to_string(model->outputs()) + "; train them with elastane train navigation"};
    }
  }
  return Policies{*selective, *transformer};
}

Point Oracle::act(const Drive& drive) {
  const Scenario& scenario = drive.scenario();
  const int step = drive.step();
  const bool changed = drops_crate(scenario.mode) && step >= scenario.change_at && planned_at_ < scenario.change_at;
  const bool moves = !scenario.patrols.empty() && step >= planned_at_ + kLookAgain;
  if (changed || moves) {
    route_ = std::make_shared<Route>(drive.site());
    planned_at_ = step;
  }
  return expert_command(drive.site(), *route_, drive.position(), drive.air());
}

int best_steps(const Place& place, const Scenario& scenario) {
  Drive drive(place.site, scenario);
  Oracle oracle(place);
  while (!drive.over()) drive.move(oracle.act(drive));
  return drive.arrived() ? drive.step() : scenario.limit;
}

benchmark::Outcome play(Agent& agent, const Place& place, const Task& task, benchmark::Latency& latency) {
  Drive drive(place.site, task.scenario);
  agent.begin();
  benchmark::Outcome sums;
  while (!drive.over()) {
    const Sight sight = drive.look();
    const double begun = now_micros();
    const Point command = agent.act(sight);
    latency.add(now_micros() - begun);
    const StepReport& report = agent.report();
    sums.corrections += report.depth;
    sums.accepted += report.accepted;
    sums.products += report.products;
    sums.condition += report.condition * report.depth;
    sums.macs += static_cast<double>(report.total_macs());
    drive.move(command);
  }
  benchmark::Outcome outcome = outcome_of(drive, task);
  outcome.corrections = sums.corrections;
  outcome.accepted = sums.accepted;
  outcome.products = sums.products;
  outcome.condition = sums.condition;
  outcome.macs = sums.macs;
  return outcome;
}

NavigationBenchmark::NavigationBenchmark(Policies policies, Mode mode)
    : policies_(std::move(policies)), mode_(mode), entrants_(line_up(mode)), claims_(claims_of(mode)) {
  std::vector<Place> all = random_places(kSitesSeed, kSites);
  places_.assign(std::make_move_iterator(all.begin() + kTuningSites), std::make_move_iterator(all.end()));
  for (const Entrant& entrant : entrants_) cards_.push_back(entrant.card);
  for (Entrant& entrant : budget_grid()) {
    grid_cards_.push_back(entrant.card);
    entrants_.push_back(std::move(entrant));
  }
  if (!drops_crate(mode)) return;
  for (const char* when : {"early", "middle", "late"}) {
    for (const char* size : {"small", "medium", "large"}) kinds_.push_back({when, size});
  }
}

std::string NavigationBenchmark::name() const {
  return mode_ == Mode::dragged ? "navigation" : std::string("navigation_") + kModeNames[static_cast<int>(mode_)];
}

std::uint64_t NavigationBenchmark::fingerprint() const {
  const std::uint64_t both[] = {policies_.selective.fingerprint(), policies_.transformer.fingerprint()};
  return hash64(std::as_bytes(std::span(both)));
}

std::unique_ptr<benchmark::Player> NavigationBenchmark::player(int agent) const {
  const Entrant& who = entrant(agent);
  if (who.oracle) return std::make_unique<OraclePlayer>(*this);
  return std::make_unique<AgentPlayer>(*this, who.tried[static_cast<std::size_t>(who.chosen)].make(policies_));
}

const Task& NavigationBenchmark::task(std::uint64_t seed, int episode) const {
  {
    const std::lock_guard lock(drawing_);
    if (const auto found = tasks_.find({seed, episode}); found != tasks_.end()) return found->second;
  }
  const Place& at = place(site_of(episode));
  Task task{draw_scenario(at.site, at.route, {.mode = mode_}, seed * 1'000'003 + static_cast<std::uint64_t>(episode))};
  task.best = best_steps(at, task.scenario);
  const std::lock_guard lock(drawing_);
  return tasks_.try_emplace({seed, episode}, std::move(task)).first->second;
}

}  // namespace elastane::navigation
