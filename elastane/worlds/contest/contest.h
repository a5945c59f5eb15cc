// A contest: agents on the same episodes of a world, judged alike.
//
//   for (const AgentCard& card : contest.agents()) …                    what takes part
//   auto player = contest.player(i);                                    one a thread
//   Outcome outcome = player->play(seed, episode, latency);             repeatable by (agent, seed, episode) alone
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "elastane/worlds/contest/latency.h"

namespace elastane::contest {

// what became of one agent in one episode
struct Outcome {
  int world = 0;  // episodes of one world are not independent: intervals are drawn over worlds
  int kind = 0;   // what changed and when, as the world numbers it
  bool success = false;
  int steps = 0;               // until success; the limit where there was none
  int steps_after_change = 0;  // of those
  int violations = 0;          // steps that broke a constraint
  double regret = 0;           // cost beyond that of the best way, over the best way's
  // over all steps of the episode
  int corrections = 0;   // micro-steps that were started
  int accepted = 0;      // of those
  double products = 0;   // products with J or its transpose
  double condition = 0;  // of G, summed over corrections
  double madds = 0;      // counted
};

// what a source says an agent does; what it leaves out is not there
struct Published {
  std::optional<double> success, steps, violations, regret, p99_us;
};

struct AgentCard {
  std::string name;      // "frozen", "exact", …
  std::string what;      // one line for people
  std::string settings;  // what tuning chose, as one line
  Published published = {};
};

class Player {
 public:
  virtual ~Player() = default;
  virtual Outcome play(std::uint64_t seed, int episode, Latency& latency) = 0;
};

class Contest {
 public:
  virtual ~Contest() = default;
  virtual std::string name() const = 0;
  virtual int limit() const = 0;  // steps of an episode
  virtual std::span<const AgentCard> agents() const = 0;
  virtual std::unique_ptr<Player> player(int agent) const = 0;
};

}  // namespace elastane::contest
