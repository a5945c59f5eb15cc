// Forecasts as lines of text: JSON, or separated values under a header.
#pragma once

#include <string>
#include <vector>

#include "apps/elastane/run/row_stream.h"

namespace elastane::app {

class ForecastLines {
 public:
  // `has_header`: of separated values; false where lines go on after others
  ForecastLines(RowFormat format, const ForecastModel& model, bool has_header);

  // The line of the row that `stream` took last, with its newline. Separated values before the first good row wait for
  // it, as only then it is known which columns there are. Numbers are as short as they can be and come back the same.
  void append(const RowStream& stream, std::string& text);
  void finish(const RowStream& stream, std::string& text);  // what waited in vain

 private:
  void append_json(const RowOutcome& outcome, const RowStream& stream, std::string& text) const;
  void append_csv(const RowOutcome& outcome, const RowStream& stream, std::string& text) const;
  void append_header(const RowStream& stream, std::string& text);

  RowFormat format_;
  const ForecastModel& model_;
  bool needs_header_;
  std::vector<RowOutcome> waiting_;
};

// 2024-05-01T12:30:00Z
std::string date_of(double seconds);

}  // namespace elastane::app
