// The navigation benchmark: every agent of the roster drives home over the same sites, in the same episodes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "lab/benchmark/benchmark.h"
#include "lab/navigation/environment.h"
#include "lab/navigation/roster.h"

namespace elastane::navigation {

// The sites that the shipped policies know. The first few are for tuning, the others for the benchmark.
inline constexpr std::uint64_t kSitesSeed = 1;
inline constexpr int kSites = 16, kTuningSites = 4;

Result<Policies> load_policies(const std::string& folder);

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
  const RoutedSite& site(int index) const { return sites_[static_cast<std::size_t>(index)]; }
  const Episode& episode(std::uint64_t seed, int number) const;  // drawn once, for all agents
  const Policies& policies() const { return policies_; }
  const RosterEntry& entry(int agent) const { return roster_[static_cast<std::size_t>(agent)]; }
  Mode mode() const { return mode_; }

 private:
  Policies policies_;
  Mode mode_;
  std::vector<RoutedSite> sites_;
  std::vector<RosterEntry> roster_;  // the agents, then the grid
  std::vector<benchmark::AgentCard> cards_, grid_cards_;
  std::vector<benchmark::Kind> kinds_;
  std::vector<benchmark::Claim> claims_;
  mutable std::mutex drawing_;
  mutable std::map<std::pair<std::uint64_t, int>, Episode> episodes_;
};

// runs one episode to its end
benchmark::Outcome play(Agent& agent, const RoutedSite& site, const Episode& episode, benchmark::Latency& latency);

}  // namespace elastane::navigation
