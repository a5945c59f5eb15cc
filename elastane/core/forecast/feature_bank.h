// Turns rows into features: a small diagonal state-space model of every channel, with fixed poles, and functions of it.
//
//   m_τ ← m_τ + (1 − e^(−1/τ))(x − m_τ)                        running means, slow and fast
//   s ← e^(−1/(dD) + 2πik/D) s + (1 − e^(−1/(dD)))(x − x₀)      rotating states: harmonic k of a season of D rows
//
// Features of a target are differences to its last value, so that a read-out of zeros repeats that value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/forecast/forecast_model.h"

namespace elastane {

// what the bank keeps between rows; views into the state of the stream
struct BankState {
  //                  meaning                      shape
  double* value;   // x, held while it is missing  [channels]
  double* origin;  // x₀, the first value          [channels]
  double* mean;    // m_τ                          [channels][scales]
  double* level;   // m of the slowest memory      [channels]
  double* spread;  // mean of (x − level)²         [channels]
  double* re;      // rotating states              [channels][poles]
  double* im;      //                              [channels][poles]
  double* past;    // x of this row, of the one before, … [targets][past]
};

class FeatureBank {
 public:
  explicit FeatureBank(const ForecastConfig& config);

  const FeatureShape& shape() const { return shape_; }

  // starts a channel at its first value
  void begin(int channel, double x, const BankState& state) const;
  // advances one channel towards state.value
  void advance(int channel, const BankState& state) const;
  // state ← state + by·other, all that is linear in the values of a target but its last value
  void add(int target, double by, const BankState& other, const BankState& state) const;
  // once per row, before features: the position of the row in its seasons
  void turn(std::uint64_t tick);
  std::span<const double> clock() const { return clock_; }  // sin and cos of this row, harmonic by harmonic
  // the features of one target, unscaled; padding is not written
  void features(int target, std::span<const std::int32_t> neighbours, const BankState& state, double* phi) const;
  // those of the clockless read-out
  void clockless_features(int target, const BankState& state, double* phi) const;

 private:
  struct Pole {
    double re, im, input;
  };

  struct Turn {
    double period;
    int harmonics;
  };

  int targets_, channels_;
  FeatureShape shape_;
  std::vector<int> lags_, clockless_lags_;
  double memory_gain_;
  std::vector<double> gains_;  // 1 − e^(−1/τ)                        [scales]
  std::vector<Pole> poles_;    //                                     [poles]
  std::vector<Turn> turns_;    // of the seasons, then of the calendar
  std::vector<double> clock_;  // sin, cos of this row             [turns][harmonics][2]
  int fast_, slow_;            // the two scales that products and neighbours use
};

}  // namespace elastane
