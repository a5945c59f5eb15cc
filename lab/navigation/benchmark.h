// The navigation benchmark: every entrant of the line-up drives home over the same sites, in the same episodes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "lab/benchmark/benchmark.h"
#include "lab/navigation/demonstration.h"
#include "lab/navigation/roster.h"

namespace elastane::navigation {

// The sites that the shipped policies know. The first few are for tuning, the others for benchmarks.
inline constexpr std::uint64_t kSitesSeed = 1;
inline constexpr int kSites = 16, kTuningSites = 4;

Result<Policies> load_policies(const std::string& folder);

// one of the scenarios that a benchmark is made of, and what it takes the oracle
struct Task {
  Scenario scenario;
  int best = 0;  // steps
};

class NavigationBenchmark final : public benchmark::Benchmark {
 public:
  NavigationBenchmark(Policies policies, Mode mode);

  std::string name() const override;
  int limit() const override { return kLimit; }
  std::uint64_t fingerprint() const override;
  std::span<const benchmark::AgentCard> agents() const override { return cards_; }
  std::span<const benchmark::AgentCard> grid() const override { return grid_cards_; }
  std::span<const benchmark::Kind> kinds() const override { return kinds_; }
  std::span<const benchmark::Claim> claims() const override { return claims_; }
  std::unique_ptr<benchmark::Player> player(int agent) const override;

  int site_of(int episode) const { return episode % (kSites - kTuningSites); }
  const Place& place(int site) const { return places_[static_cast<std::size_t>(site)]; }
  const Task& task(std::uint64_t seed, int episode) const;  // drawn once, whoever asks first
  const Policies& policies() const { return policies_; }
  const Entrant& entrant(int agent) const { return entrants_[static_cast<std::size_t>(agent)]; }
  Mode mode() const { return mode_; }

 private:
  Policies policies_;
  Mode mode_;
  std::vector<Place> places_;
  std::vector<Entrant> entrants_;  // the line-up, then the grid
  std::vector<benchmark::AgentCard> cards_, grid_cards_;
  std::vector<benchmark::Kind> kinds_;
  std::vector<benchmark::Claim> claims_;
  mutable std::mutex drawing_;
  mutable std::map<std::pair<std::uint64_t, int>, Task> tasks_;
};

// The oracle: plans on the site as it is now, anew whenever that changed.
class Oracle {
 public:
  explicit Oracle(const Place& place) : route_(std::make_shared<Route>(place.route)) {}
  Point act(const Drive& drive);
  const Route& route() const { return *route_; }  // as planned last

 private:
  std::shared_ptr<const Route> route_;
  int planned_at_ = 0;
};

// steps that the oracle needs; the limit where it does not come home
int best_steps(const Place& place, const Scenario& scenario);

// one drive to its end
benchmark::Outcome play(Agent& agent, const Place& place, const Task& task, benchmark::Latency& latency);

}  // namespace elastane::navigation
