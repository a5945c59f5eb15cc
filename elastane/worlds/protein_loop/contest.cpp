#include "elastane/worlds/protein_loop/contest.h"

#include <algorithm>

#include "elastane/worlds/protein_loop/play.h"

namespace elastane::protein_loop {
namespace {

constexpr int kLongest = 120;  // residues of a protein, and so the most windows
constexpr std::uint64_t kValidation = 1001;
constexpr int kHistogramEpisodes = 24;

class LoopPlayer final : public contest::Player {
 public:
  explicit LoopPlayer(std::unique_ptr<WindowAgent> agent) : agent_(std::move(agent)) {}

  contest::Outcome play(std::uint64_t seed, int episode, contest::Latency& latency) override {
    const Damage damage = draw_damage(seed, episode);
    const Pass pass = protein_loop::play(damage, *agent_, [&](const PassedWindow& window) {
      latency.add(window.micros);
      latency.add(window.did.report);
    });
    contest::Outcome outcome = outcome_of(pass);
    // every episode has a protein of its own
    outcome.world = static_cast<int>(seed) * 1'000'000 + episode;
    return outcome;
  }

 private:
  std::unique_ptr<WindowAgent> agent_;
};

class LoopContest final : public contest::Contest {
 public:
  explicit LoopContest(Networks networks)
      : networks_(std::move(networks)), agents_(protein_loop::agents(depths_of_gate(networks_))) {
    for (const Agent& agent : agents_) cards_.push_back({agent.name, agent.what, settings_of(agent), {}});
    const auto claim = [&](const char* text, const char* rival, double aim) {
      claims_.push_back({text, {"esm"}, rival, contest::Measure::regret, aim});
    };
    claim("ESM: at most .68 of the SSM's energy", "ssm", 0.68);
    claim("… less than the Transformer's", "transformer", 1);
    claim("… less than the random gate's", "random", 1);
    claim("… less than that of the plain gradient", "euclidean", 1);
  }

  std::string name() const override { return "protein_loop"; }
  int limit() const override { return kLongest; }
  std::uint64_t fingerprint() const override { return networks_.fingerprint; }
  std::span<const contest::Claim> claims() const override { return claims_; }
  std::span<const contest::AgentCard> agents() const override { return cards_; }
  std::unique_ptr<contest::Player> player(int agent) const override {
    return std::make_unique<LoopPlayer>(make_agent(agents_[static_cast<std::size_t>(agent)], networks_));
  }

 private:
  Networks networks_;
  std::vector<Agent> agents_;
  std::vector<contest::AgentCard> cards_;
  std::vector<contest::Claim> claims_;
};

}  // namespace

std::vector<double> depths_of_gate(const Networks& networks) {
  std::vector<double> histogram(kMostDepth + 1, 0.0);
  WindowAgent agent(
      {.network = &networks.ssm, .corrector = window_corrector(), .gate = networks.gate, .damping = kWindowDamping});
  for (int n = 0; n < kHistogramEpisodes; ++n) {
    play(draw_damage(kValidation, n), agent, [&](const PassedWindow& window) {
      histogram[static_cast<std::size_t>(std::min(window.did.depth, kMostDepth))] += 1;
    });
  }
  return histogram;
}

Result<std::unique_ptr<contest::Contest>> make_contest(const std::string& models) {
  auto networks = load_networks(models);
  if (!networks) return Error{networks.error()};
  return std::unique_ptr<contest::Contest>(std::make_unique<LoopContest>(*std::move(networks)));
}

}  // namespace elastane::protein_loop
