#include "lab/peptide/benchmark.h"

#include <map>
#include <mutex>

#include "experiments/peptide/settings.h"
#include "lab/benchmark/claims_json.h"
#include "lab/peptide/roster.h"
#include "lab/peptide/run_episode.h"

namespace elastane::peptide {
namespace {

// Episodes, each drawn once for all agents: the expert's part in drawing one takes longer than most agents do.
class EpisodeCache {
 public:
  DrawnEpisode at(std::uint64_t seed, int episode) {
    const std::pair key{seed, episode};
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = drawn_.find(key); found != drawn_.end()) return found->second;
    }
    const DrawnEpisode drawn = draw_episode(seed, episode);
    const std::lock_guard lock(mutex_);
    return drawn_.emplace(key, drawn).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, int>, DrawnEpisode> drawn_;
};

class PeptidePlayer final : public benchmark::Player {
 public:
  PeptidePlayer(std::unique_ptr<Agent> agent, std::shared_ptr<EpisodeCache> episodes)
      : agent_(std::move(agent)), episodes_(std::move(episodes)) {}

  benchmark::Outcome play(std::uint64_t seed, int episode, benchmark::Latency& latency) override {
    return run_episode(episodes_->at(seed, episode), agent_.get(), [&](const Step& step) { latency.add(step.micros); });
  }

 private:
  std::unique_ptr<Agent> agent_;
  std::shared_ptr<EpisodeCache> episodes_;
};

benchmark::AgentCard card_of(const RosterEntry& entry) {
  return {entry.name, entry.what, settings_of(entry), entry.published};
}

class PeptideBenchmark final : public benchmark::Benchmark {
 public:
  explicit PeptideBenchmark(Networks networks)
      : networks_(std::move(networks)),
        entries_(roster()),
        claims_(benchmark::parse_claims(experiments::peptide::claims_json)) {
    for (const RosterEntry& entry : entries_) cards_.push_back(card_of(entry));
    for (const RosterEntry& entry : budget_grid()) {
      grid_cards_.push_back(card_of(entry));
      entries_.push_back(entry);
    }
    for (const char* when : {"early", "middle", "late"}) {
      for (const char* size : {"small", "medium", "large"}) kinds_.push_back({when, size});
    }
  }

  std::string name() const override { return "peptide"; }
  int limit() const override { return kLimit; }
  std::uint64_t fingerprint() const override { return networks_.fingerprint; }
  std::span<const benchmark::Kind> kinds() const override { return kinds_; }
  std::span<const benchmark::Claim> claims() const override { return claims_; }
  std::span<const benchmark::AgentCard> agents() const override { return cards_; }
  std::span<const benchmark::AgentCard> grid() const override { return grid_cards_; }
  std::unique_ptr<benchmark::Player> player(int agent) const override {
    const RosterEntry& chosen = entries_[static_cast<std::size_t>(agent)];
    return std::make_unique<PeptidePlayer>(chosen.oracle ? nullptr : make_agent(chosen, networks_), episodes_);
  }

 private:
  Networks networks_;
  std::vector<RosterEntry> entries_;  // of the roster, then of the grid
  std::vector<benchmark::AgentCard> cards_, grid_cards_;
  std::vector<benchmark::Kind> kinds_;
  std::vector<benchmark::Claim> claims_;
  std::shared_ptr<EpisodeCache> episodes_ = std::make_shared<EpisodeCache>();
};

}  // namespace

Result<std::unique_ptr<benchmark::Benchmark>> make_benchmark(const std::string& models) {
  auto networks = load_networks(models);
  if (!networks) return Error{networks.error()};
  return std::unique_ptr<benchmark::Benchmark>(std::make_unique<PeptideBenchmark>(*std::move(networks)));
}

}  // namespace elastane::peptide
