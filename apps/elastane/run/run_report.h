// What `elastane run` reports on stderr: its alarm at the start, its statistics at the end.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "elastane/forecast/row_stream.h"

namespace elastane::app {

// quantiles of any number of times, to within 2 %
class TimeHistogram {
 public:
  void add(double micros);
  double quantile(double share) const;
  std::uint64_t count() const { return count_; }

 private:
  std::array<std::uint32_t, 1024> counts_ = {};
  std::uint64_t count_ = 0;
};

// how alarms were calibrated, and how often they may be wrong
std::string describe_alarm(const ForecastModel& model, double rate);

// rows, times, coverage and alarms; `before`: rows that the snapshot had consumed
std::string describe_run(const RowStream& stream, const TimeHistogram& times, double coverage, std::uint64_t before);

}  // namespace elastane::app
