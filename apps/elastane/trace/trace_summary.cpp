#include "apps/elastane/trace/trace_summary.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "bench/timing.h"

namespace elastane::app {
namespace {

constexpr std::array kBinEdges = {0.2, 0.4, 0.6, 0.8};
constexpr std::size_t kTimeBins = 10;
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

double over(double sum, double count) { return count > 0 ? sum / count : kNone; }
double over(std::uint64_t part, std::uint64_t whole) {
  return over(static_cast<double>(part), static_cast<double>(whole));
}

// the nearest float; what is larger than all of them becomes the largest
float narrow(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return std::isfinite(value) ? static_cast<float>(std::clamp(value, -kMost, kMost)) : kMissing;
}
std::uint16_t narrow(int count) { return static_cast<std::uint16_t>(std::clamp(count, 0, 0xFFFF)); }

// a time that a broken clock did not spoil
double sound(double micros) { return std::isfinite(micros) && micros > 0 ? micros : 0; }

// was there something to observe, and someone to correct it? Else the report's losses mean nothing
bool is_scored(Stop stop) {
  return stop != Stop::nothing_observed && stop != Stop::no_corrector && stop != Stop::too_late &&
         stop != Stop::not_replayable;
}

void add_to(Gain& sums, double before, double after) {
  if (!std::isfinite(before) || !std::isfinite(after)) return;
  sums = {sums.steps + 1, (sums.steps > 0 ? sums.before : 0) + before, (sums.steps > 0 ? sums.after : 0) + after};
}
Gain means(const Gain& sums) {
  const auto n = static_cast<double>(sums.steps);
  return {sums.steps, over(sums.before, n), over(sums.after, n)};
}

// of what is there
template <class Keep>
Spread spread(std::span<const float> values, Keep keep) {
  std::vector<float> kept;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept), keep);
  if (kept.empty()) return {};
  std::sort(kept.begin(), kept.end());
  return {kept.size(), bench::quantile(kept, 0.5), bench::quantile(kept, 0.9), bench::quantile(kept, 0.99),
          kept.back()};
}
bool is_there(float value) { return !std::isnan(value); }
bool is_positive(float value) { return value > 0; }

// what a bin counts while it is filled
struct Tally {
  std::uint64_t steps = 0, depth = 0, accepted = 0;
  Gain loss;
  float from = std::numeric_limits<float>::max(), to = std::numeric_limits<float>::lowest();

  Bin bin() const {
    return {.from = from,
            .to = to,
            .steps = steps,
            .mean_depth = over(depth, steps),
            .accept_rate = over(accepted, depth),
            .loss = means(loss)};
  }
};

}  // namespace

double Gain::relative() const { return before != 0 ? (before - after) / std::fabs(before) : kNone; }

void TraceCollector::add(const TraceStep& step) {
  const StepReport& report = step.report;
  if (counts_.steps == 0) counts_.first_position = step.position, counts_.first_time = step.time;
  counts_.last_position = step.position;
  counts_.last_time = step.time;
  counts_.steps += 1;

  const std::uint16_t depth = narrow(report.depth), accepted = narrow(report.accepted);
  counts_.depths[std::min<std::size_t>(depth, kDeepest)] += 1;
  counts_.micro_steps += depth;
  counts_.accepted += accepted;
  counts_.trials += narrow(report.trials);
  counts_.stop_reasons[static_cast<std::size_t>(report.stop)] += 1;
  counts_.metrics[static_cast<std::size_t>(report.metric)] += 1;
  counts_.cuts += report.cut ? 1 : 0;

  positions_.push_back(step.position);
  depths_.push_back(depth);
  accepted_.push_back(accepted);
  kappa_.push_back(depth > 0 ? narrow(report.kappa) : kMissing);
  condition_.push_back(depth > 0 ? narrow(report.condition) : kMissing);
  radius_.push_back(depth > 0 ? narrow(report.radius) : kMissing);
  add_loss(report);
  add_cost(report);
}

void TraceCollector::add_loss(const StepReport& report) {
  const bool scored = is_scored(report.stop);
  loss_before_.push_back(scored ? narrow(report.loss_before) : kMissing);
  loss_after_.push_back(scored ? narrow(report.loss_after) : kMissing);
  if (!scored) return;
  add_to(loss_, report.loss_before, report.loss_after);
  counts_.lowered += report.loss_after < report.loss_before ? 1 : 0;
  counts_.raised += report.loss_after > report.loss_before ? 1 : 0;
  if (report.accepted <= 0) return;
  add_to(corrected_loss_, report.loss_before, report.loss_after);
  add_to(corrected_horizon_, report.horizon_before, report.horizon_after);
}

void TraceCollector::add_cost(const StepReport& report) {
  double claimed = 0;
  for (const double micros : report.micros) claimed += sound(micros);
  const double elapsed = std::max(claimed, sound(report.elapsed));
  elapsed_.push_back(narrow(elapsed));
  for (std::size_t s = 0; s < kStages; ++s) {
    const double unclaimed = static_cast<Stage>(s) == Stage::other ? elapsed - claimed : 0;
    const double micros = sound(report.micros[s]) + unclaimed;
    micros_[s].push_back(narrow(micros));
    micros_sum_[s] += micros;
    macs_[s] += static_cast<double>(report.macs[s]);
  }
  if (report.overrun > 0) overruns_.push_back(narrow(report.overrun));
}

TraceSummary TraceCollector::summary() const {
  TraceSummary summary = counts_;
  summary.by_loss = bins_by(loss_before_);
  summary.by_kappa = bins_by(kappa_);
  summary.over_time = bins_in_time();
  summary.loss = means(loss_);
  summary.corrected_loss = means(corrected_loss_);
  summary.corrected_horizon = means(corrected_horizon_);
  summary.overrun = spread(overruns_, is_positive);
  summarise_cost(summary);
  return summary;
}

void TraceCollector::summarise_cost(TraceSummary& summary) const {
  double all_micros = 0, all_macs = 0;
  for (const double sum : micros_sum_) all_micros += sum;
  for (const double sum : macs_) all_macs += sum;
  const auto steps = static_cast<double>(counts_.steps);
  const auto stage = [&](const std::vector<float>& micros, double micros_sum, double macs) {
    return StageSummary{spread(micros, is_positive), over(micros_sum, steps), over(micros_sum, all_micros),
                        over(macs, steps), over(macs, all_macs)};
  };
  for (std::size_t s = 0; s < kStages; ++s) summary.stages[s] = stage(micros_[s], micros_sum_[s], macs_[s]);
  summary.total = stage(elapsed_, all_micros, all_macs);
}

// between quantiles of the values; steps of equal value stay together, so a bin may be missing
std::vector<Bin> TraceCollector::bins_by(const std::vector<float>& values) const {
  std::vector<float> sorted;
  std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), is_there);
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  std::vector<float> edges;
  for (const double q : kBinEdges) edges.push_back(bench::quantile(sorted, q));

  std::vector<Tally> tallies(edges.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_there(values[i])) continue;
    Tally& tally =
        tallies[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), values[i]) - edges.begin())];
    tally.steps += 1;
    tally.depth += depths_[i];
    tally.accepted += accepted_[i];
    tally.from = std::min(tally.from, values[i]);
    tally.to = std::max(tally.to, values[i]);
    add_to(tally.loss, loss_before_[i], loss_after_[i]);
  }
  std::vector<Bin> bins;
  for (const Tally& tally : tallies) {
    if (tally.steps > 0) bins.push_back(tally.bin());
  }
  return bins;
}

std::vector<Bin> TraceCollector::bins_in_time() const {
  std::vector<Bin> bins;
  const std::size_t steps = positions_.size(), count = std::min(kTimeBins, steps);
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t begin = steps * b / count, end = steps * (b + 1) / count;
    Tally tally{.steps = end - begin};
    for (std::size_t i = begin; i < end; ++i) {
      tally.depth += depths_[i];
      tally.accepted += accepted_[i];
      add_to(tally.loss, loss_before_[i], loss_after_[i]);
    }
    Bin bin = tally.bin();
    bin.from = static_cast<double>(positions_[begin]);
    bin.to = static_cast<double>(positions_[end - 1]);
    bin.condition = spread(std::span(condition_).subspan(begin, end - begin), is_there);
    bin.radius = spread(std::span(radius_).subspan(begin, end - begin), is_there);
    bins.push_back(bin);
  }
  return bins;
}

}  // namespace elastane::app
