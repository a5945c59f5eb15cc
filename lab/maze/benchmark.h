// The maze benchmark: all agents walk through the same mazes with the same observations.
//
// Success is to arrive within kSuccessRatio times the shortest path (episode.h). `regret` is the excess length of the path
// relative to the shortest: at most 1 is within twice the shortest, at most 3 within four times; above 3 the agent did
// not arrive.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/benchmark/benchmark.h"
#include "lab/maze/episode_source.h"
#include "lab/maze/roster.h"

namespace elastane::maze {

class MazeBenchmark final : public benchmark::Benchmark {
 public:
  MazeBenchmark(TrainedAgents trained, EpisodeSource source);

  std::string name() const override { return source_.name; }
  int limit() const override;
  std::uint64_t fingerprint() const override;
  std::string reference() const override { return "k0"; }
  std::span<const benchmark::AgentCard> agents() const override { return cards_; }
  std::span<const benchmark::AgentCard> grid() const override { return grid_; }
  std::span<const benchmark::Claim> claims() const override { return claims_; }
  std::span<const benchmark::Tallied> tallied() const override { return tallied_; }
  std::unique_ptr<benchmark::Player> player(int agent) const override;

  const EpisodeSource& source() const { return source_; }
  const RosterEntry& entry(int agent) const { return roster_[static_cast<std::size_t>(agent)]; }

 private:
  TrainedAgents trained_;
  EpisodeSource source_;
  std::vector<RosterEntry> roster_;  // the agents, then the grid
  std::vector<benchmark::AgentCard> cards_, grid_;
  std::vector<benchmark::Claim> claims_;
  std::vector<benchmark::Tallied> tallied_;
};

// one episode to its end
benchmark::Outcome play(Agent& agent, const Episode& episode, benchmark::Latency& latency);

}  // namespace elastane::maze
