// Forecasts as lines of text: JSON, or separated values under a header.
#pragma once

#include <string>
#include <vector>

#include "elastane/forecast/row_stream.h"

namespace elastane {

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
