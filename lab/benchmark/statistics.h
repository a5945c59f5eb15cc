// How reliable a figure is: intervals and paired tests for episodes that share worlds.
//
// Every figure is a ratio of sums over episodes: successes over episodes, violations over steps.
//
// Intervals: bootstrap over worlds. A draw takes as many worlds as there are, with replacement, each with all its
// episodes; seeds are pooled. Percentiles are those of Student's t and not of the normal law (Hesterberg 2015, the
// "expanded percentile" interval), because plain ones are too short for tens of worlds. With fewer than kFewWorlds the
// episodes of a drawn world are drawn as well. No scheme is reliable with two or three worlds.
//
// Tests: under the null hypothesis two agents can be exchanged. They are exchanged world by world: the p-value is the
// share of exchanges with a difference at least as large as the one found. All exchanges are tried if they are few, else
// random ones, with (b + 1)/(B + 1). Fewer than kFewWorlds worlds cannot give a small p: then episodes are exchanged one
// by one, and the result holds for these worlds only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elastane::benchmark {

inline constexpr int kFewWorlds = 8;

// what one episode adds to a ratio of sums
struct Term {
  int world = 0;
  double top = 0, bottom = 1;
};

struct Interval {
  double low = 0, high = 0;
};

// a figure and its 95 % interval; NaN without any value
struct Estimate {
  double mean = 0;
  Interval interval;
};

struct StatisticsOptions {
  int draws = 2000;        // of a bootstrap
  int exchanges = 10'000;  // of a test; all of them, if there are fewer
  std::uint64_t seed = 1;
};

Estimate estimate(std::span<const Term> terms, const StatisticsOptions& options = {});

// two agents on the same episodes, in the same order
struct Comparison {
  Estimate difference;   // a − b
  Estimate ratio;        // a/b
  double p = 1;          // two-sided, of no difference; never 0
  bool by_world = true;  // else episode by episode
  bool exact = false;    // all exchanges were tried
};
Comparison compare(std::span<const Term> a, std::span<const Term> b, const StatisticsOptions& options = {});

// p-values of a family, corrected (Holm 1979), in their order; NaN is not a test, and stays
std::vector<double> holm(std::span<const double> p);

// mean ± t·s/√n of one value per seed; NaN bounds for a single seed
Estimate over_seeds(std::span<const double> values);

double student_quantile(int degrees);  // 97.5 %

}  // namespace elastane::benchmark
