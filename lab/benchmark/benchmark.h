// A benchmark: agents on the same episodes of a world, judged alike.
//
//   for (const AgentCard& card : benchmark.agents()) …                    what takes part
//   auto player = benchmark.player(i);                                    one a thread
//   Outcome outcome = player->play(seed, episode, latency);             repeatable by (agent, seed, episode) alone
//
// run.h plays it, journal.h keeps what was played, results.h and findings.h judge it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/benchmark/latency.h"

namespace elastane::benchmark {

// steps at one kind of place, and the micro-steps that were started there
struct Tally {
  int steps = 0, micro_steps = 0;

  bool operator==(const Tally&) const = default;
};

// what became of one agent in one episode
struct Outcome {
  int world = 0;  // equal numbers are the same world, also under other seeds: its episodes are not independent
  int kind = 0;   // what changed and when: a place in Benchmark::kinds()
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
  double macs = 0;       // counted
  // where the world keeps count of it
  double energy = 0;           // what is left of its own objective at the end
  int idle = 0;                // steps without a micro-step
  std::vector<Tally> tallies;  // in the order of Benchmark::tallied()

  bool operator==(const Outcome&) const = default;
};

inline constexpr const char* kReference = "frozen";

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

// when something changed, and how much: "early", "large"
struct Kind {
  std::string when, size;
};

// what micro-steps are counted by, and one place of it: {"cell", "closed door"}, {"loss", "1 to 10"}
struct Tallied {
  std::string by, place;
};
inline constexpr const char* kByDepth = "K";  // by how many there were: the distribution of K

// steps: of episodes that both solved; all_steps: with failures in full
enum class Measure { success, steps, all_steps, violations, regret, energy };

// something that a benchmark is meant to show: one agent against another, on the same episodes
struct Claim {
  std::string text;                 // "at most half of frozen's violations"
  std::vector<std::string> agents;  // the one of them with most success is tested; its p pays for the choice
  std::string rival;
  Measure measure = Measure::success;
  double aim = 0;  // of success: the least difference; of the others: the largest ratio
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
  virtual std::uint64_t fingerprint() const = 0;  // of all weights: what was played with others is another run
  virtual std::span<const AgentCard> agents() const = 0;
  virtual std::unique_ptr<Player> player(int agent) const = 0;  // a place in agents(), or beyond it in grid()

  virtual std::string reference() const { return kReference; }    // the agent that others are compared with
  virtual std::span<const AgentCard> grid() const { return {}; }  // one agent with other (λ, r, β): the budget grid
  virtual std::span<const Kind> kinds() const { return {}; }
  virtual std::span<const Claim> claims() const { return {}; }
  virtual std::span<const Tallied> tallied() const { return {}; }  // where micro-steps went
};

}  // namespace elastane::benchmark
