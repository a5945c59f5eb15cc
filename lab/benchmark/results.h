// The rows of a benchmark's table: every agent over all its episodes, with intervals and tests.
//
// Steps are compared on joint successes: the episodes that both the agent and the reference solved. Joint successes of
// all agents would be few, and the weakest agent would choose them. Steps over all episodes, with failures at the limit,
// are reported as well.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "lab/benchmark/run.h"
#include "lab/benchmark/statistics.h"

namespace elastane::benchmark {

// the episodes of one kind of change
struct Slice {
  std::string name;  // "early", "large", "early, large"
  int episodes = 0;
  double success = 0;
  double steps = 0;      // on joint successes
  double steps_all = 0;  // failures at the limit
};

// micro-steps at one kind of place, over all episodes
struct Spent {
  Tallied where;
  Tally count;

  double mean() const { return count.steps > 0 ? static_cast<double>(count.micro_steps) / count.steps : 0; }
};

struct Row {
  AgentCard card;
  int episodes = 0, worlds = 0;
  Estimate success;
  Estimate success_seeds;         // with an interval over seeds, if there are at least two
  int joint = 0;                  // episodes that the agent and the reference solved
  Estimate steps;                 // of those
  Estimate steps_all;             // of all, failures at the limit
  double steps_after_change = 0;  // of all, failures at the limit
  Estimate violations_per_1000;   // steps
  double regret = 0;
  double p50_us = 0, p99_us = 0;  // per step
  double products_per_step = 0, macs = 0;
  double accept_rate = 0, condition = 0;  // of corrections; NaN without any
  double p_value = 0;                     // of success against the reference's, Holm-corrected; NaN for itself
  std::vector<Slice> by_when, by_size, by_kind;
  // if the world counts it
  Estimate energy;                            // at the end
  Estimate energy_ratio;                      // over the reference's
  double mean_depth = 0, idle_share = 0;      // K per step; the share of steps without any
  double episode_macs = 0, episode_sd = 0;    // per episode: mean and standard deviation
  std::vector<Spent> spent;                   // where micro-steps went
  std::array<double, kStages> stage_us = {};  // per step
};

struct ResultOptions {
  std::string reference = kReference;  // if it is not among the records, the first agent
  int seeds = 1;                       // of the outcomes
  std::span<const Kind> kinds = {};
  std::span<const Tallied> tallied = {};
  StatisticsOptions statistics = {};
};

std::vector<Row> results(std::span<const Record> records, const ResultOptions& options);

// what an episode adds to a measure of one agent; steps count if the rival succeeded too
Term term_of(Measure measure, const Outcome& outcome, const Outcome& rival);
std::vector<Term> terms_of(Measure measure, const Record& agent, const Record& rival);

}  // namespace elastane::benchmark
