// Forecasts as lines of text: JSON, or separated values under a header.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/forecast/row_stream.h"

namespace elastane {

// The parts of a JSON line.
struct ForecastLine {
  std::uint64_t row = 0;
  const std::string* id = nullptr;  // null: rows have no ids
  double time = NAN;                // seconds; NaN: left out
  bool has_dates = false;           // the time is written as a date
  std::size_t targets = 1;
  std::span<const double> forecast, lower, upper;  // empty: null
  std::string_view report;                         // append_report
};
void append_json_line(const ForecastLine& line, std::string& text);  // with its newline

// Appends what became of a row as fields of a JSON object, each with a comma before it. Without `micros`, the only one that
// depends on the machine's clock, equal rows give equal bytes.
void append_report(const RowOutcome& outcome, bool has_micros, std::string& text);

class ForecastLines {
 public:
  // `has_header`: separated values start with a header; false when lines continue an earlier output
  ForecastLines(RowFormat format, const ForecastModel& model, bool has_header = true);

  // Appends the line of the row that `stream` completed last, with its newline. Separated values wait for the first
  // valid row, because the columns are not known before. Numbers are as short as possible and exact when read back.
  void append_line(const RowStream& stream, std::string& text);
  void finish(const RowStream& stream, std::string& text);  // appends lines that still wait

 private:
  void append_json(const RowOutcome& outcome, const RowStream& stream, std::string& text) const;
  void append_csv(const RowOutcome& outcome, const RowStream& stream, std::string& text) const;
  void append_header(const RowStream& stream, std::string& text);

  RowFormat format_;
  const ForecastModel& model_;
  bool needs_header_;
  std::vector<RowOutcome> waiting_;
};

}  // namespace elastane
