// Real-time code only.
#include "elastane/core/forecast/drift_alarm.h"

#include <algorithm>
#include <cmath>

namespace elastane {
namespace {

constexpr double kSettled = 200;         // errors before anything is judged
constexpr double kRecent = 1.0 / 48;     // gain of recent means
constexpr double kLasting = 1.0 / 2048;  // and of long-term ones
constexpr double kMostSquare = 25;       // of z², in long-term means
constexpr double kMostLevel = 4;         // |z| that counts for a level
constexpr double kDrift = 0.5;           // z per row that a level has to exceed
constexpr double kFirstLevel = 7;        // nats; S of independent normal errors crosses once in some thousand rows
constexpr double kStep = 0.7;            // nats by which a threshold rises when it is crossed
constexpr double kLowest = -2, kHighest = 15;  // nats between which thresholds stay
constexpr double kEvent = 24;                  // rows that belong to one event
constexpr double kSeasonal = 0.08;             // share of z² that follows the season, where the season has changed
constexpr double kScaled = 1.25;               // ratio of steps, where the scale has changed
constexpr double kRowShare = 0.5, kLevelShare = 0.25, kChangeShare = 0.25;  // of the rate

double recent_mean(double mean, double value, double seen, double gain) {
  return mean + std::fmax(gain, 1 / (seen + 1)) * (value - mean);
}

bool follows_season(const TargetAlarm& a) {
  double along = 0;
  for (const double each : a.season) along += each * each;
  return along > kSeasonal * a.squares;
}

// what has changed, if errors are larger than they were
DriftKind kind_of_change(const TargetAlarm& a) {
  if (follows_season(a)) return DriftKind::season;
  const double ratio = a.step_recent / std::fmax(a.step_lasting, 1e-12);
  return ratio > kScaled || ratio * kScaled < 1 ? DriftKind::scale : DriftKind::dynamics;
}

void learn_row(const AlarmRow& row, TargetAlarm& a) {
  const double size = std::fabs(row.error), square = row.error * row.error;
  if (a.seen > 0) {
    a.recent.add(size / a.size);
    a.lasting.add(size / std::sqrt(a.variance));
  } else {
    a.size = size + 1e-9;
    a.variance = square + 1e-12;
  }
  const double z = std::clamp(row.error / std::sqrt(a.variance), -kMostLevel, kMostLevel);
  for (std::size_t k = 0; k < std::min<std::size_t>(4, row.clock.size()); ++k)
    a.season[k] += kRecent * (z * row.clock[k] - a.season[k]);
  a.squares += kRecent * (z * z - a.squares);
  a.size = recent_mean(a.size, std::fmin(size, 20 * a.size), a.seen, kRecent) + 1e-12;
  a.variance = recent_mean(a.variance, std::fmin(square, kMostSquare * a.variance), a.seen, kLasting) + 1e-15;
  a.step_recent = recent_mean(a.step_recent, std::fabs(row.step), a.seen, kRecent);
  a.step_lasting = recent_mean(a.step_lasting, std::fabs(row.step), a.seen, kLasting);
  a.seen += 1;
}

// the row alone
void judge_size(double size, double rate, TargetAlarm& a, AlarmVerdict& verdict) {
  const double share = 0.5 * kRowShare * rate, start = -std::log(share);
  const double by_recent = -std::log(a.recent.share_above(size / a.size));
  const double by_lasting = -std::log(a.lasting.share_above(size / std::sqrt(a.variance)));
  const double nats = std::fmax(by_recent - a.of_row.above, by_lasting - a.of_size.above);
  verdict.p_value = std::fmin(1.0, 2 * std::exp(-nats));  // the less likely of two
  const bool is_large = a.of_size.follow(by_lasting, start, share);
  verdict.is_unusual = a.of_row.follow(by_recent, start, share) || is_large;
}

}  // namespace

bool TrackedThreshold::follow(double statistic, double start, double rate) {
  const bool is_crossed = statistic > start + above;
  const bool is_new = is_crossed && rest >= kEvent;
  rest = is_crossed ? 0 : rest + 1;
  above = std::clamp(above + kStep * ((is_new ? 1 : 0) - rate), kLowest, kHighest);
  return is_crossed;
}

AlarmVerdict judge_row(const AlarmRow& row, double rate, TargetAlarm& a) {
  AlarmVerdict verdict;
  if (a.seen >= kSettled) {
    judge_size(std::fabs(row.error), rate, a, verdict);
    const double deviation = std::sqrt(a.variance), z = std::clamp(row.error / deviation, -kMostLevel, kMostLevel);
    a.up = std::fmax(0.0, a.up + z - kDrift);
    a.down = std::fmax(0.0, a.down - z - kDrift);
    const double p = a.lasting.share_above(std::fabs(row.error) / deviation);
    a.change = std::fmin(1e30, (1 + a.change) * 0.5 / std::sqrt(p));
    const bool has_level = a.of_level.follow(std::fmax(a.up, a.down), kFirstLevel, kLevelShare * rate);
    const bool has_change = a.of_change.follow(std::log(a.change), -std::log(kChangeShare * rate), kChangeShare * rate);
    if (has_level || has_change) verdict.drift = has_level && !follows_season(a) ? DriftKind::level : kind_of_change(a);
    // a season shows only after some rows: what was reported before is corrected
    const bool is_late = a.since_alarm < kEvent && a.since_season > a.since_alarm && follows_season(a);
    if (verdict.drift == DriftKind::none && is_late) verdict.drift = DriftKind::season;
    if (has_level) a.up = a.down = 0;
    if (has_level || has_change) a.change = 0;
  }
  a.since_alarm = verdict.drift != DriftKind::none ? 0 : a.since_alarm + 1;
  a.since_season = verdict.drift == DriftKind::season ? 0 : a.since_season + 1;
  learn_row(row, a);
  return verdict;
}

AlarmVerdict judge_refused_row(double error, double rate, TargetAlarm& a) {
  AlarmVerdict verdict;
  if (a.seen >= kSettled) judge_size(std::fabs(error), rate, a, verdict);
  return verdict;
}

void DriftAlarm::follow(DriftKind drift) {
  if (drift != DriftKind::none) {
    raised += rows > 0 ? 0 : 1;
    kind = static_cast<double>(drift);
    rows = kEvent;
  } else {
    rows = std::fmax(0.0, rows - 1);
  }
}

}  // namespace elastane
