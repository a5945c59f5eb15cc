#include "lab/maze/benchmark.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "elastane/core/base/checksum.h"
#include "elastane/core/base/clock.h"

namespace elastane::maze {
namespace {

// micro-steps are counted by these classes of loss, and by kind of cell
constexpr std::array kLossNames = {"none", "below 1e-4", "1e-4 to 0.01", "0.01 to 0.1", "above 0.1"};
std::size_t loss_class(double loss) {
  if (!(loss > 0)) return 0;
  return loss < 1e-4 ? 1 : loss < 1e-2 ? 2 : loss < 0.1 ? 3 : 4;
}

constexpr std::array kDepthNames = {"0", "1", "2", "3", "4"};
std::size_t depth_class(int depth) { return std::min(static_cast<std::size_t>(depth), kDepthNames.size() - 1); }

// adds one step
void count(const StepReport& report, CellKind kind, benchmark::Outcome& outcome) {
  outcome.corrections += report.depth;
  outcome.accepted += report.accepted;
  outcome.idle += report.depth == 0 ? 1 : 0;
  outcome.products += report.products;
  outcome.condition += report.condition * report.depth;
  outcome.macs += static_cast<double>(report.total_macs());
  for (const std::size_t at : {static_cast<std::size_t>(kind), kCellKinds + loss_class(report.loss_before),
                               kCellKinds + kLossNames.size() + depth_class(report.depth)}) {
    outcome.tallies[at].steps += 1;
    outcome.tallies[at].micro_steps += report.depth;
  }
}

class MazePlayer final : public benchmark::Player {
 public:
  MazePlayer(const EpisodeSource& source, std::unique_ptr<Agent> agent) : source_(source), agent_(std::move(agent)) {}

  benchmark::Outcome play(std::uint64_t seed, int number, benchmark::Latency& latency) override {
    benchmark::Outcome outcome = maze::play(*agent_, source_.draw(seed, number), latency);
    outcome.world = static_cast<int>(episode_seed(seed, number) & 0x7FFFFFFFU);  // every episode has its own maze
    return outcome;
  }

 private:
  const EpisodeSource& source_;
  std::unique_ptr<Agent> agent_;
};

}  // namespace

MazeBenchmark::MazeBenchmark(TrainedAgents trained, EpisodeSource source)
    : trained_(std::move(trained)),
      source_(std::move(source)),
      roster_(make_roster(trained_, source_.shape)),
      claims_(make_claims(trained_)) {
  for (const RosterEntry& entry : roster_) cards_.push_back(entry.card);
  for (RosterEntry& entry : priced_roster(trained_)) {
    grid_.push_back(entry.card);
    roster_.push_back(std::move(entry));
  }
  for (const char* kind : kCellKindNames) tallied_.push_back({"cell", kind});
  for (const char* loss : kLossNames) tallied_.push_back({"loss", loss});
  for (const char* depth : kDepthNames) tallied_.push_back({benchmark::kByDepth, depth});
}

// the limit for the longest possible shortest path
int MazeBenchmark::limit() const { return static_cast<int>(kLengthLimit) * source_.shape.width * source_.shape.height; }

std::uint64_t MazeBenchmark::fingerprint() const {
  std::vector<std::uint64_t> all = {hash64(format_agent_configs(trained_.configs).value())};
  for (const Network& network : trained_.networks) all.push_back(network.model.fingerprint());
  all.push_back(hash64(format_priced_configs(trained_.priced).value()));
  return hash64(std::as_bytes(std::span(all)));
}

std::unique_ptr<benchmark::Player> MazeBenchmark::player(int agent) const {
  return std::make_unique<MazePlayer>(source_, entry(agent).make(source_.shape));
}

benchmark::Outcome play(Agent& agent, const Episode& episode, benchmark::Latency& latency) {
  benchmark::Outcome outcome;
  outcome.tallies.resize(kCellKinds + kLossNames.size() + kDepthNames.size());
  Environment environment(episode);
  agent.begin(episode);
  while (!environment.over()) {
    const Observation observation = environment.observe();
    const CellKind kind = cell_kind(episode, environment.grid(), environment.position());
    agent.watch(environment);
    const double begun = now_micros();
    const int move = agent.act(observation);
    latency.add(now_micros() - begun);
    latency.add(agent.report());
    environment.step(move);
    outcome.violations += environment.bumped() ? 1 : 0;
    count(agent.report(), kind, outcome);
  }
  outcome.success = environment.arrived() && environment.ratio() <= kSuccessRatio;
  outcome.steps = environment.steps();
  outcome.steps_after_change = std::max(0, environment.steps() - std::min(environment.steps(), episode.change_at));
  outcome.regret = environment.arrived() ? environment.ratio() - 1 : kLengthLimit;
  return outcome;
}

}  // namespace elastane::maze
