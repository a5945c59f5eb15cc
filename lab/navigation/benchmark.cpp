#include "lab/navigation/benchmark.h"

#include <algorithm>

#include "elastane/core/base/checksum.h"
#include "lab/navigation/expert.h"

namespace elastane::navigation {
namespace {

// the first step that differs from training
int change_of(const Episode& episode) {
  if (places_crate(episode.mode)) return episode.change_at;
  return episode.mode == Mode::drifting ? episode.disturbed_at : 0;
}

int kind_of(const Episode& episode) { return places_crate(episode.mode) ? episode.when * kCrates + episode.crate : 0; }

// what the environment knows about the outcome
benchmark::Outcome outcome_of(const Environment& environment, const Episode& episode) {
  benchmark::Outcome outcome;
  outcome.kind = kind_of(episode);
  outcome.success = environment.arrived();
  outcome.steps = outcome.success ? environment.steps() : kLimit;
  outcome.steps_after_change = std::max(0, outcome.steps - change_of(episode));
  outcome.violations = environment.contacts();
  const int best = episode.best_steps;
  outcome.regret = best > 0 ? static_cast<double>(outcome.steps - best) / best : 0;
  return outcome;
}

class AgentPlayer final : public benchmark::Player {
 public:
  AgentPlayer(const NavigationBenchmark& benchmark, std::unique_ptr<Agent> agent)
      : benchmark_(benchmark), agent_(std::move(agent)) {}

  benchmark::Outcome play(std::uint64_t seed, int number, benchmark::Latency& latency) override {
    const int site = benchmark_.site_of(number);
    benchmark::Outcome outcome =
        navigation::play(*agent_, benchmark_.site(site), benchmark_.episode(seed, number), latency);
    outcome.world = site;
    return outcome;
  }

 private:
  const NavigationBenchmark& benchmark_;
  std::unique_ptr<Agent> agent_;
};

class OraclePlayer final : public benchmark::Player {
 public:
  explicit OraclePlayer(const NavigationBenchmark& benchmark) : benchmark_(benchmark) {}

  benchmark::Outcome play(std::uint64_t seed, int number, benchmark::Latency& latency) override {
    const int site = benchmark_.site_of(number);
    const Episode& episode = benchmark_.episode(seed, number);
    Environment environment(benchmark_.site(site).site, episode);
    Oracle oracle(benchmark_.site(site));
    while (!environment.over()) {
      const double begun = benchmark::processor_micros();
      const Vec2 command = oracle.act(environment);
      latency.add(benchmark::processor_micros() - begun);
      environment.step(command);
    }
    benchmark::Outcome outcome = outcome_of(environment, episode);
    outcome.world = site;
    return outcome;
  }

 private:
  const NavigationBenchmark& benchmark_;
};

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

benchmark::Outcome play(Agent& agent, const RoutedSite& site, const Episode& episode, benchmark::Latency& latency) {
  Environment environment(site.site, episode);
  agent.begin();
  benchmark::Outcome sums;
  while (!environment.over()) {
    const Observation observation = environment.observe();
    const double begun = benchmark::processor_micros();
    const Vec2 command = agent.act(observation);
    latency.add(benchmark::processor_micros() - begun);
    const StepReport& report = agent.report();
    sums.corrections += report.depth;
    sums.accepted += report.accepted;
    sums.products += report.products;
    sums.condition += report.condition * report.depth;
    sums.macs += static_cast<double>(report.total_macs());
    environment.step(command);
  }
  benchmark::Outcome outcome = outcome_of(environment, episode);
  outcome.corrections = sums.corrections;
  outcome.accepted = sums.accepted;
  outcome.products = sums.products;
  outcome.condition = sums.condition;
  outcome.macs = sums.macs;
  return outcome;
}

NavigationBenchmark::NavigationBenchmark(Policies policies, Mode mode)
    : policies_(std::move(policies)), mode_(mode), roster_(roster(mode)), claims_(navigation::claims(mode)) {
  std::vector<RoutedSite> all = random_sites(kSitesSeed, kSites);
  sites_.assign(std::make_move_iterator(all.begin() + kTuningSites), std::make_move_iterator(all.end()));
  for (const RosterEntry& entry : roster_) cards_.push_back(entry.card);
  for (RosterEntry& entry : budget_grid()) {
    grid_cards_.push_back(entry.card);
    roster_.push_back(std::move(entry));
  }
  if (!places_crate(mode)) return;
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
  const RosterEntry& chosen = entry(agent);
  if (chosen.oracle) return std::make_unique<OraclePlayer>(*this);
  return std::make_unique<AgentPlayer>(*this, chosen.setting().make(policies_));
}

const Episode& NavigationBenchmark::episode(std::uint64_t seed, int number) const {
  {
    const std::lock_guard lock(drawing_);
    if (const auto found = episodes_.find({seed, number}); found != episodes_.end()) return found->second;
  }
  const RoutedSite& at = site(site_of(number));
  Episode episode = draw_episode(at, {.mode = mode_}, seed * 1'000'003 + static_cast<std::uint64_t>(number));
  episode.best_steps = best_steps(at, episode);
  const std::lock_guard lock(drawing_);
  return episodes_.try_emplace({seed, number}, std::move(episode)).first->second;
}

}  // namespace elastane::navigation
