// Tells unusual rows and drift by the one-step errors e of a target, at a stated rate of false alarms.
//
//   row      −log p, p the share of earlier |e| that were as large, in units of their recent size
//   size     the same in units of their long-term size: where rows are mostly zero, the recent size says little
//   level    S ← max(0, S ± z − ½), z = e in units of its long-term size                              (CUSUM, Page 1954)
//   change   log M, M ← (1 + M)·½p^(−½), p as above, in units of the long-term size             (Shiryaev–Roberts)
//
// Each is compared with a threshold of its own that moves with every row: up when it was crossed, slowly down when not. So
// it is crossed at the stated rate, however errors depend on each other (quantile tracking, as in interval.h).
#pragma once

#include <cstdint>
#include <span>

#include "elastane/core/forecast/forecaster_options.h"
#include "elastane/core/forecast/size_histogram.h"

namespace elastane {

// a statistic, in nats, and the threshold that it crosses at a given rate
struct TrackedThreshold {
  double above = 0;  // nats over where it starts
  double rest = 0;   // rows since it was crossed

  // true: the statistic crosses; one event moves the threshold once, however long it lasts
  bool follow(double statistic, double start, double rate);
};

// what the alarm keeps of one target; all doubles, part of the state of the stream
struct TargetAlarm {
  SizeHistogram recent, lasting;  // of |e| over their recent and their long-term size
  double size = 0;                // recent mean of |e|
  double variance = 0;            // long-term mean of e²
  double seen = 0;                // errors
  double up = 0, down = 0;        // S, for both signs
  double change = 0;              // M
  TrackedThreshold of_row, of_size, of_level, of_change;
  double season[4] = {};                     // recent means of z times the clock
  double squares = 1;                        // recent mean of z²
  double step_recent = 0, step_lasting = 0;  // mean |x − x before|
  double since_alarm = 1e9;                  // rows since a drift was reported
  double since_season = 1e9;                 // and since one of the season
};

struct AlarmVerdict {
  double p_value = 1;       // calibrated: below the rate in a share of rows that is the rate
  bool is_unusual = false;  // the row alone
  DriftKind drift = DriftKind::none;
};

// the error of an accepted row; `step`: x − the x before; `clock`: sin and cos of the season, first and second harmonic
struct AlarmRow {
  double error = 0, step = 0;
  std::span<const double> clock;
};

// `rate`: false alarms per row that are allowed. Nothing is learned from a row that is not accepted.
AlarmVerdict judge_row(const AlarmRow& row, double rate, TargetAlarm& alarm);
AlarmVerdict judge_refused_row(double error, double rate, TargetAlarm& alarm);

// the alarm of a stream: on for some rows after a drift of any target
struct DriftAlarm {
  double kind = 0;    // DriftKind, while it is on
  double rows = 0;    // for which it stays on
  double raised = 0;  // number of times it was raised

  void follow(DriftKind drift);
  DriftKind on() const { return rows > 0 ? static_cast<DriftKind>(static_cast<int>(kind)) : DriftKind::none; }
};

}  // namespace elastane
