#include "lab/peptide/benchmark.h"

#include <map>
#include <mutex>

#include "lab/peptide/play.h"

namespace elastane::peptide {
namespace {

// episodes, each drawn once for all agents: the expert's part in drawing takes longer than most agents do
class Episodes {
 public:
  Drawn at(std::uint64_t seed, int episode) {
    const std::pair key{seed, episode};
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = drawn_.find(key); found != drawn_.end()) return found->second;
    }
    const Drawn drawn = draw_episode(seed, episode);
    const std::lock_guard lock(mutex_);
    return drawn_.emplace(key, drawn).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, int>, Drawn> drawn_;
};

class PeptidePlayer final : public benchmark::Player {
 public:
  PeptidePlayer(std::unique_ptr<Driver> driver, std::shared_ptr<Episodes> episodes)
      : driver_(std::move(driver)), episodes_(std::move(episodes)) {}

  benchmark::Outcome play(std::uint64_t seed, int episode, benchmark::Latency& latency) override {
    return peptide::play(episodes_->at(seed, episode), driver_.get(),
                         [&](const Step& step) { latency.add(step.micros); });
  }

 private:
  std::unique_ptr<Driver> driver_;
  std::shared_ptr<Episodes> episodes_;
};

class PeptideBenchmark final : public benchmark::Benchmark {
 public:
  explicit PeptideBenchmark(Networks networks) : networks_(std::move(networks)), agents_(peptide::agents()) {
    const auto card = [](const Agent& a) { return benchmark::AgentCard{a.name, a.what, settings_of(a), a.published}; };
    for (const Agent& agent : agents_) cards_.push_back(card(agent));
    for (const Agent& agent : peptide::budget_grid()) {
      grid_cards_.push_back(card(agent));
      agents_.push_back(agent);
    }
    for (const char* when : {"early", "middle", "late"}) {
      for (const char* size : {"small", "medium", "large"}) kinds_.push_back({when, size});
    }
    const auto claim = [&](const char* text, const char* agent, const char* rival, benchmark::Measure measure,
                           double aim) {
      claims_.push_back({text, {agent}, rival, measure, aim});
    };
    using enum benchmark::Measure;
    claim("pullback: more success than frozen", "exact", "frozen", success, 0);
    claim("… more success than Euclidean at equal time", "exact", "euclidean_equal_time", success, 0);
    claim("… more success than the literal form", "exact", "literal", success, 0);
    claim("… more success than Gauss-Newton on the moves", "exact", "plan_gauss_newton", success, 0);
    claim("with moves and detours: more success than SE(3) with MPC", "exact_detours", "equivariant_mpc", success, 0);
    claim("… fewer steps where both succeed", "exact_detours", "equivariant_mpc", steps, 1);
    claim("… 31 % fewer steps, failures in full", "exact_detours", "equivariant_mpc", all_steps, 0.69);
    claim("… at most half of its clashes", "exact_detours", "equivariant_mpc", violations, 0.5);
    claim("… fewer clashes than the moves without a latent", "exact_detours", "plan_detours", violations, 1);
    claim("… fewer clashes than SE(3) with MPC and detours", "exact_detours", "equivariant_mpc_detours", violations, 1);
  }

  std::string name() const override { return "peptide"; }
  int limit() const override { return kLimit; }
  std::uint64_t fingerprint() const override { return networks_.fingerprint; }
  std::span<const benchmark::Kind> kinds() const override { return kinds_; }
  std::span<const benchmark::Claim> claims() const override { return claims_; }
  std::span<const benchmark::AgentCard> agents() const override { return cards_; }
  std::span<const benchmark::AgentCard> grid() const override { return grid_cards_; }
  std::unique_ptr<benchmark::Player> player(int agent) const override {
    const Agent& chosen = agents_[static_cast<std::size_t>(agent)];
    return std::make_unique<PeptidePlayer>(chosen.oracle ? nullptr : make_driver(chosen, networks_), episodes_);
  }

 private:
  Networks networks_;
  std::vector<Agent> agents_;  // and those of the grid
  std::vector<benchmark::AgentCard> cards_, grid_cards_;
  std::vector<benchmark::Kind> kinds_;
  std::vector<benchmark::Claim> claims_;
  std::shared_ptr<Episodes> episodes_ = std::make_shared<Episodes>();
};

}  // namespace

Result<std::unique_ptr<benchmark::Benchmark>> make_benchmark(const std::string& models) {
  auto networks = load_networks(models);
  if (!networks) return Error{networks.error()};
  return std::unique_ptr<benchmark::Benchmark>(std::make_unique<PeptideBenchmark>(*std::move(networks)));
}

}  // namespace elastane::peptide
