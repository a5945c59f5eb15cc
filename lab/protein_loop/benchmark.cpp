#include "lab/protein_loop/benchmark.h"

#include <algorithm>
#include <array>

#include "experiments/protein_loop/settings.h"
#include "lab/benchmark/claims_json.h"
#include "lab/protein_loop/run_episode.h"

namespace elastane::protein_loop {
namespace {

constexpr int kMaxProtein = 120;  // of a protein, and so of windows
constexpr std::uint64_t kValidation = 1001;
constexpr int kHistogramEpisodes = 24;

// what micro-steps are counted by, and the bounds between the places
struct Scale {
  const char* by;
  std::vector<double> bounds;       // a value belongs to the first place whose bound it does not exceed
  std::vector<std::string> places;  // one more than bounds
};
const std::array<Scale, 4>& scales() {
  static const std::array<Scale, 4> all = {{
      {"residues away", {0, 3, 10}, {"in the loop", "1 to 3", "4 to 10", "beyond 10"}},
      {"loss", {1, 10, 100, 1000}, {"to 1", "1 to 10", "10 to 100", "100 to 1,000", "above"}},
      {"last kappa", {0, 1, 10, 100}, {"no solve", "to 1", "1 to 10", "10 to 100", "above"}},
      {benchmark::kByDepth, {0, 1, 2, 4}, {"0", "1", "2", "3 to 4", "5 to 8"}},
  }};
  return all;
}

void count(const Step& step, std::vector<benchmark::Tally>& tallies) {
  const std::array<double, 4> values = {static_cast<double>(step.distance), step.report.before, step.report.kappa,
                                        static_cast<double>(step.report.depth)};
  std::size_t first = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<double>& bounds = scales()[i].bounds;
    const auto place = std::ranges::find_if(bounds, [&](double bound) { return values[i] <= bound; }) - bounds.begin();
    benchmark::Tally& tally = tallies[first + static_cast<std::size_t>(place)];
    tally.steps += 1;
    tally.micro_steps += step.report.depth;
    first += bounds.size() + 1;
  }
}

class LoopPlayer final : public benchmark::Player {
 public:
  explicit LoopPlayer(std::unique_ptr<WindowAgent> agent) : agent_(std::move(agent)) {}

  benchmark::Outcome play(std::uint64_t seed, int episode, benchmark::Latency& latency) override {
    const Episode drawn = draw_episode(seed, episode);
    std::vector<benchmark::Tally> tallies;
    for (const Scale& scale : scales()) tallies.resize(tallies.size() + scale.places.size());
    const EpisodeResult result = run_episode(drawn, *agent_, [&](const Step& step) {
      latency.add(step.micros);
      latency.add(step.report.correction);
      count(step, tallies);
    });
    benchmark::Outcome outcome = outcome_of(result);
    outcome.tallies = std::move(tallies);
    // every episode has its own protein
    outcome.world = static_cast<int>(seed) * 1'000'000 + episode;
    return outcome;
  }

 private:
  std::unique_ptr<WindowAgent> agent_;
};

class LoopBenchmark final : public benchmark::Benchmark {
 public:
  explicit LoopBenchmark(Networks networks)
      : networks_(std::move(networks)),
        entries_(roster(networks_, depths_of_gate(networks_))),
        claims_(benchmark::parse_claims(experiments::protein_loop::claims_json)) {
    for (const RosterEntry& entry : entries_) cards_.push_back({entry.name, entry.what, settings_of(entry), {}});
    for (const Scale& scale : scales()) {
      for (const std::string& place : scale.places) tallied_.push_back({scale.by, place});
    }
  }

  std::string name() const override { return "protein_loop"; }
  std::string reference() const override { return "ssm"; }
  std::span<const benchmark::Tallied> tallied() const override { return tallied_; }
  int limit() const override { return kMaxProtein; }
  std::uint64_t fingerprint() const override { return networks_.fingerprint; }
  std::span<const benchmark::Claim> claims() const override { return claims_; }
  std::span<const benchmark::AgentCard> agents() const override { return cards_; }
  std::unique_ptr<benchmark::Player> player(int agent) const override {
    return std::make_unique<LoopPlayer>(make_agent(entries_[static_cast<std::size_t>(agent)], networks_));
  }

 private:
  Networks networks_;
  std::vector<RosterEntry> entries_;
  std::vector<benchmark::AgentCard> cards_;
  std::vector<benchmark::Claim> claims_;
  std::vector<benchmark::Tallied> tallied_;
};

}  // namespace

std::vector<double> depths_of_gate(const Networks& networks) {
  std::vector<double> histogram(kMaxDepth + 1, 0.0);
  WindowAgent agent(
      {.network = &networks.ssm, .corrector = window_corrector(), .gate = networks.gate, .damping = window_damping()});
  for (int n = 0; n < kHistogramEpisodes; ++n) {
    run_episode(draw_episode(kValidation, n), agent, [&](const Step& step) {
      histogram[static_cast<std::size_t>(std::min(step.report.depth, kMaxDepth))] += 1;
    });
  }
  return histogram;
}

Result<std::unique_ptr<benchmark::Benchmark>> make_benchmark(const std::string& models) {
  auto networks = load_networks(models);
  if (!networks) return Error{networks.error()};
  return std::unique_ptr<benchmark::Benchmark>(std::make_unique<LoopBenchmark>(*std::move(networks)));
}

}  // namespace elastane::protein_loop
