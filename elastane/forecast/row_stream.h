// Lines of a table in, forecasts out, for one series or many: all of `elastane run` between its input and its output.
//
//   elastane::RowStream stream(model, {.late = 12});
//   elastane::ForecastLines lines(elastane::RowFormat::jsonl, *model);
//   while (std::getline(std::cin, line)) {
//     const auto row = stream.feed_line(line);                 // true: the line completed a row
//     if (row && *row) lines.append_line(stream, text);
//   }
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/owned.h"
#include "elastane/core/forecast/forecaster.h"
#include "elastane/forecast/forecast_snapshot.h"
#include "elastane/io/row_reader.h"

namespace elastane {

class SeriesStream;
struct SeriesById;  // row_stream.cpp
struct RowResult;

enum class StartMode : std::uint8_t {
  automatic,  // warm if the first row is at most kLongGap ticks after the last row of the fit; else cold
  warm,       // continue where fitting ended
  cold,       // keep what was learned, but no earlier rows
};

struct RowStreamOptions {
  std::string source = "stdin";     // named in messages
  std::optional<RowFormat> format;  // none: by the first line; { or [ means JSON
  ForecasterOptions forecaster;     // all but `warm`
  Budget budget;                    // per row, for learning
  StartMode start = StartMode::automatic;
  std::uint64_t late = 0;  // ticks that a row may be late
  bool strict = false;     // fail at the first invalid row
  std::size_t most_series = 10'000;
  CellStyle style;  // of numbers and dates, as far as rows do not show it
};

// what became of a row
struct RowOutcome {
  std::uint64_t row = 0;                   // its number, from 1
  std::string id;                          // of its series
  double time = NAN;                       // seconds
  const Forecaster* forecaster = nullptr;  // of its series, with the forecast; null: the series is not known
  std::span<const double> values;          // of the channels; empty: the row could not be read
  ForecastReport report;
  std::string invalid;  // why it counts as missing; "": it is valid
  std::string note;     // something to tell the user once
  bool is_late = false;
};

class RowStream {
 public:
  // throws if the options of the forecaster are not valid
  RowStream(SharedForecastModel model, const RowStreamOptions& options);

  // True: the line completed a row, and `outcome` says what became of it. Fails if no more rows can be read, or at an
  // invalid row of a strict stream; then everything is as before the line.
  Result<bool> feed_line(std::string_view line);
  Result<bool> finish();  // after the last line; a row that is not complete is invalid
  const RowOutcome& outcome() const { return outcome_; }

  std::uint64_t rows() const { return rows_; }
  std::uint64_t invalid_rows() const { return invalid_rows_; }
  bool is_inside_row() const { return reader_ && reader_->is_inside_record(); }  // the row continues in the next line
  bool has_columns() const { return !channel_of_.empty(); }  // a valid row was read, so the columns are known
  bool has_ids() const { return has_columns() && !reader_->id_column().empty(); }
  bool has_times() const { return has_columns() && !reader_->time_column().empty(); }
  bool has_dates() const { return has_columns() && reader_->has_dates(); }
  std::vector<std::string> ids() const;  // of the series seen so far; {""} if rows have no ids
  // of this series; null if no valid row of it was seen
  const Forecaster* forecaster(std::string_view id = {}) const;

  ForecastSnapshot snapshot() const;
  // Continues from a snapshot. The input then holds either later rows only, with the same header if any, or all rows
  // again, of which those already consumed are skipped. Fails if the snapshot does not fit.
  enum class Input : std::uint8_t { later_rows, all_rows };
  Status restore(const ForecastSnapshot& snapshot, Input input);
  std::uint64_t rows_to_skip() const { return skip_; }

 private:
  void open_reader(std::string_view line);
  Result<bool> read_line(std::string_view line);
  void remember_lines(std::string_view line, const Result<bool>& complete);
  Status match_columns();
  Result<bool> accept_row();
  Result<bool> reject_row(const std::string& why);
  Result<bool> skip_row();
  void finish_row(const SeriesStream* series, const RowResult& result, const std::string& invalid);
  bool is_timed() const { return has_times() && model_->grid.step > 0; }
  Result<SeriesStream> start_series();
  Result<Forecaster> start_with_id();
  Result<Forecaster> start_without_id();

  SharedForecastModel model_;
  RowStreamOptions options_;
  Forecaster cold_;  // the start of new series
  Owned<SeriesById> series_;
  std::uint64_t rows_ = 0, invalid_rows_ = 0, skip_ = 0;
  RowOutcome outcome_;
  std::uint64_t hash_ = 0, row_hash_ = 0;  // of all lines, and up to the last row
  std::uint64_t skipped_hash_ = 0;         // of the lines that the snapshot has consumed

  // reading
  RowFormat format_ = RowFormat::csv;
  std::optional<RowReader> reader_;
  std::uint64_t blank_lines_ = 0;    // before the first line that is not blank
  std::vector<std::string> record_;  // lines of a row that is not complete
  std::vector<std::string> header_, example_;
  std::optional<std::string> repeated_header_;  // the next line may repeat it
  std::vector<std::size_t> channel_of_;         // column of each channel
  TableRow row_;
  std::vector<double> values_;  // the channels of the row
};

}  // namespace elastane
