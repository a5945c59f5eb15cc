// A benchmark for tests: agents succeed by chance, worlds are easy or hard, and all of it is known beforehand.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elastane/core/base/random.h"
#include "lab/benchmark/benchmark.h"

namespace elastane::benchmark {

struct CoinAgent {
  std::string name;
  double success = 0.5;    // in a world of middling difficulty
  double violations = 20;  // per 1,000 steps
  std::string settings = "";
};

class CoinBenchmark : public Benchmark {
 public:
  explicit CoinBenchmark(std::vector<CoinAgent> agents, int worlds = 12, std::vector<CoinAgent> grid = {})
      : coins_(std::move(agents)), worlds_(worlds), kinds_{{"early", "small"}, {"early", "large"}, {"late", "small"}} {
    for (const CoinAgent& a : coins_) cards_.push_back({a.name, "succeeds by chance", a.settings, {.success = 0.5}});
    for (const CoinAgent& a : grid) grid_.push_back({a.name, "succeeds by chance", a.settings});
    coins_.insert(coins_.end(), grid.begin(), grid.end());
  }

  std::string name() const override { return "coins"; }
  int limit() const override { return 100; }
  std::uint64_t fingerprint() const override { return weights; }
  std::span<const AgentCard> agents() const override { return cards_; }
  std::span<const AgentCard> grid() const override { return grid_; }
  std::span<const Kind> kinds() const override { return kinds_; }
  std::span<const Claim> claims() const override { return stated; }
  std::unique_ptr<Player> player(int agent) const override {
    return std::make_unique<CoinPlayer>(*this, coins_[static_cast<std::size_t>(agent)]);
  }

  std::uint64_t weights = 77;
  std::vector<Claim> stated;
  mutable std::atomic<int> played = 0;  // episodes, over all players
  std::function<void(int)> watch = {};  // called with it

 private:
  class CoinPlayer : public Player {
   public:
    CoinPlayer(const CoinBenchmark& benchmark, CoinAgent agent) : benchmark_(benchmark), agent_(std::move(agent)) {}

    Outcome play(std::uint64_t seed, int episode, Latency& latency) override {
      const int count = ++benchmark_.played;
      if (benchmark_.watch) benchmark_.watch(count);
      Outcome o{.world = episode % benchmark_.worlds_, .kind = episode % 3};
      // luck of the world is shared, luck of the agent is its own
      Random world(static_cast<std::uint64_t>(o.world)), luck(seed, static_cast<std::uint64_t>(episode) * 1000);
      for (const char c : agent_.name) luck = Random(luck.bits(), static_cast<std::uint64_t>(c));
      const double chance = agent_.success + world.uniform(-0.2, 0.2);
      o.success = luck.uniform() < chance;
      o.steps = o.success ? 20 + luck.below(60) : benchmark_.limit();
      o.steps_after_change = o.steps / 2;
      for (int t = 0; t < o.steps; ++t) {
        o.violations += luck.uniform() * 1000 < agent_.violations ? 1 : 0;
        latency.add(5 + luck.uniform());
      }
      o.regret = luck.uniform();
      o.corrections = o.steps;
      o.accepted = o.steps / 2;
      o.products = 3.0 * o.steps;
      o.condition = 10.0 * o.steps;
      o.macs = 1000.0 * o.steps;
      return o;
    }

   private:
    const CoinBenchmark& benchmark_;
    CoinAgent agent_;
  };

  std::vector<CoinAgent> coins_;  // the grid's after the others
  int worlds_;
  std::vector<Kind> kinds_;
  std::vector<AgentCard> cards_, grid_;
};

}  // namespace elastane::benchmark
