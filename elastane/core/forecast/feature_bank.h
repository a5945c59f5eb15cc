// From rows to features: a small diagonal state-space model of every channel, with fixed poles, and what is made of it.
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

// what the bank keeps of a stream; views into its state
struct BankState {
  //         meaning                                     shape
  double* value;   // x, held while it is missing         [channels]
  double* origin;  // x₀, the first value                 [channels]
  double* mean;    // m_τ                                 [channels][scales]
  double* level;   // m of the slowest memory             [channels]
  double* spread;  // mean of (x − level)²                [channels]
  double* re;      // rotating states                     [channels][poles]
  double* im;      //                                     [channels][poles]
  double* past;    // x of this row, of the one before, … [targets][past]
};

class FeatureBank {
 public:
  explicit FeatureBank(const ForecastConfig& config);

  const FeatureShape& shape() const { return shape_; }

  // the first value of a channel
  void begin(int channel, double x, const BankState& state) const;
  // a step of one channel, towards state.value
  void advance(int channel, const BankState& state) const;
  // once a row, before features: where in its seasons the row stands
  void turn(std::uint64_t tick);
  // of one target, unscaled; the padding is left alone
  void features(int target, std::span<const std::int32_t> neighbours, const BankState& state, double* phi) const;

 private:
  struct Pole {
    double re, im, input;
  };

  int targets_;
  FeatureShape shape_;
  std::vector<int> lags_;
  double memory_gain_;
  std::vector<double> gains_;  // 1 − e^(−1/τ)                        [scales]
  std::vector<Pole> poles_;    //                                     [poles]
  std::vector<double> periods_;
  std::vector<double> clock_;  // sin, cos of this row             [periods][clock][2]
  int fast_, slow_;            // the two scales that products and neighbours use
};

}  // namespace elastane
