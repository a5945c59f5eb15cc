// Rows and forecasts of a stream as records: in memory, as bytes in a log or a message, and as JSON lines.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::serve {

// consecutive rows of one stream
struct RowBatch {
  std::string id;
  std::uint64_t first = 0;     // number of the first row; the first row of a stream is 1
  bool has_dates = false;      // times are shown as dates
  std::vector<double> times;   // one per row; NaN: none
  std::vector<double> values;  // [rows][channels]; NaN: missing

  std::size_t rows() const { return times.size(); }
  std::uint64_t last() const { return first + rows() - 1; }
  std::span<const double> row(std::size_t i) const {
    const std::size_t channels = values.size() / times.size();
    return std::span(values).subspan(i * channels, channels);
  }
};

// What is stored of a row's forecast. It holds nothing that depends on a clock of the machine, so a replay of the same
// rows gives the same bytes.
struct ForecastRecord {
  std::uint64_t number = 0;  // of the row after which the forecast was made
  double time = NAN;
  bool has_dates = false;
  std::vector<double> forecast, lower, upper;  // [horizon][targets]
  std::string report;                          // fields of a JSON object (append_report)
};

// forecasts of one stream
struct ForecastBatch {
  std::string id;
  std::vector<ForecastRecord> forecasts;
};

// what changes a stream or all of them at a position of a log of rows, other than a row
struct Control {
  enum class Kind : std::uint8_t {
    erase,    // the stream is gone; a later row of it is number 1
    restore,  // the stream continues from the snapshot in `data`
    model,    // later rows are forecast by the model called `data`, which has seen all earlier ones
  };
  Kind kind = Kind::erase;
  std::string id, data;
};

std::vector<std::byte> to_bytes(const RowBatch& batch);
std::vector<std::byte> to_bytes(const ForecastBatch& batch);
std::vector<std::byte> to_bytes(const ForecastRecord& record);
std::vector<std::byte> to_bytes(const Control& control);
bool is_control(std::span<const std::byte> bytes);
// refuse bytes that are not such a record; `channels`: values that a row must have, 0: any number
Result<RowBatch> parse_rows(std::span<const std::byte> bytes, std::size_t channels = 0);
Result<ForecastBatch> parse_forecasts(std::span<const std::byte> bytes);
Result<ForecastRecord> parse_forecast(std::span<const std::byte> bytes);
Result<Control> parse_control(std::span<const std::byte> bytes);

// appends the line of `elastane run` for this row, without `micros`, with its newline
void append_line(const std::string& id, const ForecastRecord& record, std::size_t targets, std::string& text);

}  // namespace elastane::serve
