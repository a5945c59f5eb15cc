// Latencies of steps: counts on a logarithmic scale, so that millions fit and two histograms add up; and the share of
// corrections, stage by stage.
#pragma once

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "elastane/core/corrector/report.h"

namespace elastane::benchmark {

// processor time of this thread, µs: other programs do not affect it
inline double processor_micros() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

class Latency {
 public:
  static constexpr int kBins = 1024;  // each 1.5 % wide, from 10 ns to 40 ms

  void add(double micros) {
    const double place = std::log(std::max(micros, kSmallest) / kSmallest) / kWidth;
    ++counts_[static_cast<std::size_t>(std::min(place, kBins - 1.0))];
    ++total_;
  }
  void add(const StepReport& report) {
    for (int i = 0; i < kStages; ++i) stages_[i] += report.micros[i];
  }
  void add(const Latency& other) {
    for (int i = 0; i < kStages; ++i) stages_[i] += other.stages_[i];
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
  }

  // µs that the share q of all steps did not exceed; 0 without any step
  double quantile(double q) const {
    if (total_ == 0) return 0;
    std::uint64_t seen = 0;
    const auto wanted = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(total_)));
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen >= std::max<std::uint64_t>(wanted, 1))
        return kSmallest * std::exp((static_cast<double>(i) + 0.5) * kWidth);
    }
    return kSmallest * std::exp(kBins * kWidth);
  }

  std::uint64_t total() const { return total_; }
  // restores a count from a journal
  void set(int bin, std::uint32_t count) {
    std::uint32_t& counted = counts_[static_cast<std::size_t>(bin)];
    total_ += std::uint64_t{count} - counted;
    counted = count;
  }
  const std::array<std::uint32_t, kBins>& counts() const { return counts_; }

  // µs of all corrections
  const std::array<double, kStages>& stages() const { return stages_; }
  void set_stages(const std::array<double, kStages>& micros) { stages_ = micros; }

 private:
  static constexpr double kSmallest = 0.01, kWidth = 0.015;

  std::array<std::uint32_t, kBins> counts_ = {};
  std::array<double, kStages> stages_ = {};
  std::uint64_t total_ = 0;
};

}  // namespace elastane::benchmark
