// Steps to trace: any bits a report may hold, and whether two are the same.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "elastane/core/base/random.h"
#include "elastane/io/trace_line.h"

namespace elastane {

// equal bit for bit; but one NaN is as good as another
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

inline bool same(const TraceStep& a, const TraceStep& b) {
  // a field that is added to the report breaks this line: a trace must hold it as well
  const auto& [stop, metric, granted, depth, accepted, trials, cut, loss_before, loss_after, horizon_before,
               horizon_after, kappa, predicted, ratio, alpha, length, radius, damping, condition, macs, micros,
               products, elapsed, overrun, guard] = a.report;  // the guard is written, and not read back
  const StepReport& r = b.report;
  bool equal = a.position == b.position && same(a.time, b.time) && stop == r.stop && metric == r.metric &&
               granted == r.granted && depth == r.depth && accepted == r.accepted && trials == r.trials &&
               cut == r.cut && same(loss_before, r.loss_before) && same(loss_after, r.loss_after) &&
               same(horizon_before, r.horizon_before) && same(horizon_after, r.horizon_after) && same(kappa, r.kappa) &&
               same(predicted, r.predicted) && same(ratio, r.ratio) && same(alpha, r.alpha) && same(length, r.length) &&
               same(radius, r.radius) && same(damping, r.damping) && same(condition, r.condition) && macs == r.macs &&
               products == r.products && same(elapsed, r.elapsed) && same(overrun, r.overrun);
  for (std::size_t s = 0; s < kStages; ++s) equal = equal && same(micros[s], r.micros[s]);
  return equal;
}

// what a trace gives back of a number
inline double traced(double value) { return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN(); }

// every number drawn by `number`, every count by `count`
template <class Number, class Count>
TraceStep filled_step(Number number, Count count) {
  TraceStep step{.position = static_cast<std::uint64_t>(count()), .time = number(), .report = {}};
  StepReport& r = step.report;
  r.stop = static_cast<Stop>(static_cast<std::uint64_t>(count()) % kStopReasons);
  r.metric = static_cast<Metric>(static_cast<std::uint64_t>(count()) % kMetrics);
  for (int* whole : {&r.granted, &r.depth, &r.accepted, &r.trials, &r.products}) *whole = static_cast<int>(count());
  r.cut = count() % 2 != 0;
  for (double* real : {&r.loss_before, &r.loss_after, &r.horizon_before, &r.horizon_after, &r.kappa, &r.predicted,
                       &r.ratio, &r.alpha, &r.length, &r.radius, &r.damping, &r.condition, &r.elapsed, &r.overrun}) {
    *real = number();
  }
  for (std::int64_t& macs : r.macs) macs = count();
  for (double& micros : r.micros) micros = number();
  return step;
}

// any bits at all, but for what a trace does not tell apart
inline TraceStep random_step(Random& random) {
  return filled_step([&] { return traced(std::bit_cast<double>(random.bits())); },
                     [&] { return std::bit_cast<std::int64_t>(random.bits()); });
}

}  // namespace elastane
