// A trace as a whole: where compute went, what it gained, and why corrections stopped.
//
// Quantiles need every value: the collector takes about 100 bytes per step, so ten million steps take 1 GB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "elastane/io/trace_line.h"

namespace elastane::app {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // where there is nothing to take a mean of
inline constexpr std::size_t kDeepest = 16;                                // larger K are counted with this one

struct Spread {
  std::uint64_t steps = 0;  // in which there was something to measure
  double p50 = kNone, p90 = kNone, p99 = kNone, max = kNone;
};

// a loss before and after, as means over some steps
struct Gain {
  std::uint64_t steps = 0;
  double before = kNone, after = kNone;

  double relative() const;  // (before − after)/|before|
};

// steps that lie together: by the size of a quantity, or in time
struct Bin {
  double from = kNone, to = kNone;  // the quantity, or the position
  std::uint64_t steps = 0;
  double mean_depth = kNone, accept_rate = kNone;
  Gain loss;
  Spread condition, radius;  // in time only; where a micro-step was started
};

struct StageSummary {
  Spread micros;                                     // of the steps in which the stage ran
  double mean_micros = kNone, micros_share = kNone;  // of all steps, so that stages add up
  double mean_macs = kNone, macs_share = kNone;
};

struct TraceSummary {
  std::uint64_t steps = 0;
  std::uint64_t first_position = 0, last_position = 0;
  double first_time = kNone, last_time = kNone;

  // how deep, and why not deeper
  std::array<std::uint64_t, kDeepest + 1> depths = {};  // steps of every K
  std::uint64_t micro_steps = 0, accepted = 0, trials = 0;
  std::array<std::uint64_t, kStops> stop_reasons = {};
  std::array<std::uint64_t, kMetrics> metrics = {};
  std::vector<Bin> by_loss, by_kappa;  // five of about equal size; κ where a micro-step was started

  // what it gained, where the losses are finite
  Gain loss;                               // of every step that had something to observe
  Gain corrected_loss, corrected_horizon;  // of the steps that accepted something
  std::uint64_t lowered = 0, raised = 0;   // steps after which the loss was smaller, or larger
  std::vector<Bin> over_time;              // ten of equal size

  // what it cost; `other` includes the time of a step that belongs to no stage
  std::array<StageSummary, kStages> stages;
  StageSummary total;
  std::uint64_t cuts = 0;  // steps that a budget cut short
  Spread overrun;          // µs, of the steps that ran over
};

class TraceCollector {
 public:
  void add(const TraceStep& step);
  TraceSummary summary() const;

 private:
  void add_loss(const StepReport& report);
  void add_cost(const StepReport& report);
  std::vector<Bin> bins_by(const std::vector<float>& values) const;
  std::vector<Bin> bins_in_time() const;
  void summarise_cost(TraceSummary& summary) const;

  TraceSummary counts_;                             // what can be counted as steps come
  Gain loss_, corrected_loss_, corrected_horizon_;  // sums so far
  std::array<double, kStages> macs_ = {}, micros_sum_ = {};
  // one value per step; NaN where there is none
  std::vector<std::uint64_t> positions_;
  std::vector<std::uint16_t> depths_, accepted_;
  std::vector<float> loss_before_, loss_after_, kappa_, condition_, radius_;
  std::array<std::vector<float>, kStages> micros_;
  std::vector<float> elapsed_;
  std::vector<float> overruns_;  // of the steps that ran over
};

}  // namespace elastane::app
