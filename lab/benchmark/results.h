// The paper's table: what every agent did over all its episodes, with intervals and tests.
//
// Steps are compared on joint successes: the episodes that both the agent and the reference solved. Joint successes of
// all agents at once would be few, and chosen by the weakest. Beside them stand the steps of all episodes, failures
// counted in full.
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
  double steps_all = 0;  // failures in full
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
  Estimate success_seeds;         // the same with an interval over seeds, if there are two at least
  int joint = 0;                  // episodes that the agent and the reference solved
  Estimate steps;                 // of those
  Estimate steps_all;             // of all, failures counted in full
  double steps_after_change = 0;  // of all, failures counted in full
  Estimate violations_per_1000;   // steps
  double regret = 0;
  double p50_us = 0, p99_us = 0;  // of a step
  double products_per_step = 0, macs = 0;
  double accept_rate = 0, condition = 0;  // of corrections; NaN where there were none
  double p_value = 0;                     // of success against the reference's, Holm-corrected; NaN for itself
  std::vector<Slice> by_when, by_size, by_kind;
  // where the world keeps count of it
  Estimate energy;                            // at the end
  Estimate energy_ratio;                      // over the reference's
  double mean_depth = 0, idle_share = 0;      // K of a step; the share of steps with none
  double episode_macs = 0, episode_sd = 0;    // of an episode: mean and deviation
  std::vector<Spent> spent;                   // where micro-steps went
  std::array<double, kStages> stage_us = {};  // of a step
};

struct ResultOptions {
  std::string reference = kReference;  // the first agent, if it is not among the records
  int seeds = 1;                       // that outcomes are made of
  std::span<const Kind> kinds = {};
  std::span<const Tallied> tallied = {};
  StatisticsOptions statistics = {};
};

std::vector<Row> results(std::span<const Record> records, const ResultOptions& options);

// what an episode adds to a measure of one agent; steps count where the rival succeeded too
Term term_of(Measure measure, const Outcome& outcome, const Outcome& rival);
std::vector<Term> terms_of(Measure measure, const Record& agent, const Record& rival);

}  // namespace elastane::benchmark
