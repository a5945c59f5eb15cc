// Compares the forecasts that a fleet stored with those of one run without interruption.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/serve/record.h"

namespace elastane::app {

struct LogFaults {
  std::uint64_t rows = 0, lost = 0, doubled = 0, out_of_order = 0, different = 0;
  std::string first_difference;  // expected and found; "": none
  bool is_clean() const { return lost + doubled + out_of_order + different == 0; }
};

class LogCheck {
 public:
  explicit LogCheck(std::size_t targets) : targets_(targets) {}

  void expect_line(std::string_view line);        // a line of elastane run, in order
  void found(const serve::ForecastBatch& batch);  // in the order of the log
  LogFaults finish() const;

 private:
  struct OneStream {
    std::vector<std::string> expected;
    std::map<std::uint64_t, int> seen;
    std::uint64_t last = 0;
  };
  std::size_t targets_;
  std::map<std::string, OneStream> streams_;
  LogFaults faults_;
};

}  // namespace elastane::app
