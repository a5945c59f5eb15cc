// Lines of a table in, forecasts out: all that `elastane run` does between its input and its output.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/elastane/run/placed_stream.h"
#include "elastane/io/row_reader.h"

namespace elastane::app {

enum class Start : std::uint8_t {
  automatic,  // warm if the first row comes at most 4096 ticks after the model's last; else cold
  warm,       // go on where training ended
  cold,       // with what was learned, and no rows before
};

struct RowStreamOptions {
  std::string source = "stdin";     // named in messages
  std::optional<RowFormat> format;  // none: by the first line; { and [ begin JSON
  ForecasterOptions forecaster;     // all but warm
  Budget budget;
  Start start = Start::automatic;
  std::uint64_t late = 0;  // ticks that a row may come late
  bool strict = false;     // a bad row is an error
  std::size_t most_streams = 10'000;
};

// what came of a row
struct RowOutcome {
  std::uint64_t row = 0;                   // its number, from 1
  std::string id;                          // of its stream
  double time = NAN;                       // seconds
  const Forecaster* forecaster = nullptr;  // its stream's, with the forecast; null: it is not known which
  ForecastReport report;
  std::string bad;   // why it counts as missing; "": it does not
  std::string note;  // something the user should know once
  bool is_late = false;
};

class RowStream {
 public:
  RowStream(SharedForecastModel model, const RowStreamOptions& options);

  // True: the line ended a row, and `outcome` says what came of it. Throws what the user should read if no row can be
  // read any more, or if a row is bad and that is an error; then everything is as before the line.
  bool feed(std::string_view line);
  bool finish();  // after the last line; a row that goes on is a bad one
  const RowOutcome& outcome() const { return outcome_; }

  std::uint64_t rows() const { return rows_; }
  std::uint64_t bad_rows() const { return bad_rows_; }
  bool is_inside_row() const { return reader_ && reader_->is_inside_record(); }  // that goes on in the next line
  bool has_begun() const { return !channel_of_.empty(); }  // a good row was there: columns are known
  bool has_ids() const { return has_begun() && !reader_->id_column().empty(); }
  bool has_times() const { return has_begun() && !reader_->time_column().empty(); }
  bool has_dates() const { return has_begun() && reader_->has_dates(); }
  const std::map<std::string, PlacedStream, std::less<>>& streams() const { return streams_; }

  ForecastSnapshot snapshot() const;
  // Goes on from there; throws if it does not fit. The input: only rows that come after, if with a header then the same
  // one; or all of it again, where the rows consumed are passed over.
  enum class Input : std::uint8_t { continued, again };
  void restore(const ForecastSnapshot& snapshot, Input input);
  std::uint64_t rows_to_skip() const { return skip_; }  // still

 private:
  void open(std::string_view line);
  Result<bool> read(std::string_view line);
  void remember(std::string_view line, const Result<bool>& taken);
  void match_columns();
  bool take_row();
  bool take_bad_row(const std::string& why);
  bool end_row(const PlacedStream* stream, const PlacedStream::Taken& taken, const std::string& bad);
  PlacedStream make_stream();
  Forecaster start_of_id();
  bool is_timed() const { return has_times() && model_->grid.step > 0; }
  Forecaster start_alone();

  SharedForecastModel model_;
  RowStreamOptions options_;
  Forecaster cold_;  // what new streams begin as
  std::map<std::string, PlacedStream, std::less<>> streams_;
  std::uint64_t rows_ = 0, bad_rows_ = 0, skip_ = 0;
  RowOutcome outcome_;

  // reading
  RowFormat format_ = RowFormat::csv;
  std::optional<RowReader> reader_;
  std::uint64_t blank_lines_ = 0;    // before anything else
  std::vector<std::string> record_;  // lines of the record that goes on
  std::vector<std::string> header_, example_;
  std::optional<std::string> repeated_header_;  // that the next line may be
  std::vector<std::size_t> channel_of_;         // column of each channel
  TableRow row_;
  std::vector<double> values_;  // the row's channels
};

}  // namespace elastane::app
