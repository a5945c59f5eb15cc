// A benchmark: agents compared on the same episodes of a world.
//
//   for (const AgentCard& card : benchmark.agents()) …                  the agents
//   auto player = benchmark.player(i);                                  one per thread
//   Outcome outcome = player->play(seed, episode, latency);             depends on (agent, seed, episode) alone
//
// run.h runs the episodes, journal.h keeps their outcomes, results.h and findings.h evaluate them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/benchmark/latency.h"

namespace elastane::benchmark {

// steps at one kind of place, and the micro-steps started there
struct Tally {
  int steps = 0, micro_steps = 0;

  bool operator==(const Tally&) const = default;
};

// how one agent did in one episode
struct Outcome {
  int world = 0;  // equal numbers are the same world, under any seed: its episodes are not independent
  int kind = 0;   // what changed and when: a place in Benchmark::kinds()
  bool success = false;
  int steps = 0;               // until success; the limit without success
  int steps_after_change = 0;  // of those
  int violations = 0;          // steps that broke a constraint
  double regret = 0;           // cost beyond that of the best path, over the best path's
  // over all steps of the episode
  int corrections = 0;   // micro-steps started
  int accepted = 0;      // of those
  double products = 0;   // products with J or its transpose
  double condition = 0;  // of G, summed over corrections
  double macs = 0;       // counted
  // if the world counts it
  double energy = 0;           // the remaining value of its own objective at the end
  int idle = 0;                // steps without a micro-step
  std::vector<Tally> tallies;  // in the order of Benchmark::tallied()

  bool operator==(const Outcome&) const = default;
};

inline constexpr const char* kReference = "frozen";

// published figures of an agent; what a source does not report is left out
struct Published {
  std::optional<double> success, steps, violations, regret, p99_us;
};

struct AgentCard {
  std::string name;      // "frozen", "exact", …
  std::string what;      // one line for people
  std::string settings;  // tuned settings, as one line
  Published published = {};
};

// when something changed, and how much: "early", "large"
struct Kind {
  std::string when, size;
};

// what micro-steps are counted by, and one of its classes: {"cell", "closed door"}, {"loss", "1 to 10"}
struct Tallied {
  std::string by, place;
};
inline constexpr const char* kByDepth = "K";  // by their number: the distribution of K

// steps: of episodes that both solved; all_steps: with failures at the limit
enum class Measure { success, steps, all_steps, violations, regret, energy };

// something that a benchmark should show: one agent against another, on the same episodes
struct Claim {
  std::string text;                 // "at most half of frozen's violations"
  std::vector<std::string> agents;  // the most successful one is tested; its p is corrected for the choice
  std::string rival;
  Measure measure = Measure::success;
  double aim = 0;  // for success: the least difference; for the others: the largest ratio
};

class Player {
 public:
  virtual ~Player() = default;
  virtual Outcome play(std::uint64_t seed, int episode, Latency& latency) = 0;
};

class Benchmark {
 public:
  virtual ~Benchmark() = default;
  virtual std::string name() const = 0;
  virtual int limit() const = 0;                  // steps of an episode
  virtual std::uint64_t fingerprint() const = 0;  // of all weights: a journal belongs to one fingerprint
  virtual std::span<const AgentCard> agents() const = 0;
  virtual std::unique_ptr<Player> player(int agent) const = 0;  // an index into agents(), continued by grid()

  virtual std::string reference() const { return kReference; }    // the agent that the others are compared with
  virtual std::span<const AgentCard> grid() const { return {}; }  // one agent with many settings: the budget grid
  virtual std::span<const Kind> kinds() const { return {}; }
  virtual std::span<const Claim> claims() const { return {}; }
  virtual std::span<const Tallied> tallied() const { return {}; }  // where micro-steps went
};

}  // namespace elastane::benchmark
