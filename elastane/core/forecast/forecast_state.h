// The state of a forecaster between rows: one block of doubles. Copy it to fork a stream, write it to snapshot it.
#pragma once

#include <cstddef>

#include "elastane/core/base/arena.h"
#include "elastane/core/forecast/drift_alarm.h"
#include "elastane/core/forecast/feature_bank.h"
#include "elastane/core/forecast/input_guard.h"
#include "elastane/core/forecast/interval.h"

namespace elastane {

// members of the mixture: the last value and the frozen read-out, before the adaptive read-outs
inline constexpr int kFrozenMember = 1, kStandingMembers = 2;

// how many features a read-out has, and how far apart its rows are
struct ReadoutShape {
  int features, stride;
};

struct ForecastSizes {
  explicit ForecastSizes(const ForecastConfig& config);

  FeatureShape shape;
  int targets, channels, horizon, members;
  int learners;  // the clockless one is the last
  bool has_clockless;
  int steps;   // horizon, padded
  int window;  // values of a target that its guard can hold

  bool is_clockless(int learner) const { return has_clockless && learner == learners - 1; }
  ReadoutShape readout(int learner) const;
};

struct ForecastHeader {
  double tick = 0;                 // of the last row, plus one; counts missing rows too
  double rows = 0;                 // rows observed
  double origins = 0;              // rows in the ring, at most the horizon
  double covered = 0, judged = 0;  // labels inside their interval, and all labels
};

// views into the block
struct ForecastState {
  explicit ForecastState(const ForecastSizes& sizes) : sizes_(sizes) {}
  void lay_out(Cutter& cutter);
  std::size_t doubles() const { return measure(*this) / sizeof(double); }
  void carve(double* at) {
    Cutter cutter(at);
    lay_out(cutter);
  }

  //                          meaning                                         shape                           written by
  ForecastHeader* header;  //                                                                                 observe
  DriftAlarm* alarm;       //                                                                                 observe
  BankState bank;          //                                                 feature_bank.h                  advance
  double* begun;           // 1: the channel has had a value                  [channels]                      accept
  double* strange;         // consecutive outliers that were refused          [channels]                      accept
  double* lowest;          // of all values                                   [channels]                      accept
  double* highest;         //                                                 [channels]                      accept
  TargetAlarm* watched;    // what alarms follow                              [targets]                       accept
  BankState response;      // of the bank to a level of 1 since the last jump  of the targets only             advance
  TargetGuard* guard;      // map, limits and counts                          [targets]                       accept
  double* held;            // u and p of values that wait                     [targets][2][window]            accept
  double* season;          // x of the last season, by tick mod window        [targets][window]               advance
  // rings of the last H rows, by tick mod H
  double* features;   // φ                                              [targets][H][stride]            forecast
  double* clockless;  // φ of the clockless read-out                    [targets][H][its stride]        forecast
  double* anchor;     // x, or NaN where it was missing                  [targets][H]                    forecast
  double* doubted;    // 1: its value was held or stuck                  [targets][H]                    forecast
  double* guesses;    // forecasts of the members                        [targets][H][members][steps]    forecast
  double* mixed;      // the forecast                                    [targets][H][steps]             forecast
  double* low;        // its interval                                    [targets][H][steps]             forecast
  double* high;       //                                                 [targets][H][steps]             forecast
  double* scale;      // of the interval when it was made                [targets][H][steps]             forecast
  // a stride is that of the learner
  double* gains;  // k                                               [learners][targets][H][stride]  anticipate
  double* reach;  // φᵀk; 0: nothing to learn                        [learners][targets][H]          anticipate
  // learned
  double* weights;      // W                                            [learners][targets][H][stride]  learn
  double* covariance;   // P                                            [learners][targets][F][stride]  anticipate
  double* common;       // C of the mixture                             [targets][members²][steps]      judge
  double* shares;       // w of the mixture                             [targets][members][steps]       judge
  Interval* intervals;  //                                              [targets][H]                    judge

  int slot(double tick) const;  // position in the ring

 private:
  ForecastSizes sizes_;
};

}  // namespace elastane
