// Where a run of forecasters stands, as a file: every stream's state, and what of its input has been consumed.
//
//   header (64)   magic "ELASTRUN", version, header size, fingerprint, metric, rows consumed, size of the body
//   body          how rows are read, then the streams; numbers little-endian, texts and lists behind their length
//   checksum (4)  CRC-32 of all that comes before
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/forecast/forecaster.h"
#include "elastane/io/row_reader.h"

namespace elastane {

inline constexpr std::uint32_t kForecastSnapshotVersion = 1;

// a row in its place
struct PlacedRow {
  std::uint64_t tick = 0;
  bool is_missing = false;  // nothing of it could be read; a later one may take its place
  std::vector<double> values;
};

// rows of late, and states from which they can be replayed
struct ReplaySnapshot {
  std::uint64_t ticks = 0;                       // how late a row may be
  std::uint64_t older_tick = 0, newer_tick = 0;  // that their next rows have
  std::vector<double> older, newer;              // states
  std::vector<PlacedRow> rows;                   // since the older
};

// its units are the model's, by its id
struct StreamSnapshot {
  std::string id;
  std::vector<double> state;
  double time = 0;   // of the newest row; NaN: none had one
  double ahead = 0;  // a time too far ahead to be believed at once; NaN: none
  ReplaySnapshot replay;
};

struct ForecastSnapshot {
  std::uint64_t fingerprint = 0;  // Forecaster::fingerprint()
  Metric metric = Metric::kalman;
  std::uint64_t rows = 0, bad_rows = 0;  // consumed, bad ones included
  RowFormat format = RowFormat::csv;
  std::vector<std::string> header;   // lines that name the columns; none: they have no names
  std::vector<std::string> example;  // lines of the first good row, which says the rest about columns
  std::vector<StreamSnapshot> streams;
};

std::vector<std::byte> format_forecast_snapshot(const ForecastSnapshot& snapshot);
// refuses what is cut short, damaged or of another version
Result<ForecastSnapshot> parse_forecast_snapshot(std::span<const std::byte> bytes);
bool is_forecast_snapshot(std::span<const std::byte> bytes);  // as far as its first bytes say

// was it taken with this model, in this metric?
Status check_origin(const ForecastSnapshot& snapshot, const Forecaster& forecaster);

Status save_forecast_snapshot(const std::string& path, const ForecastSnapshot& snapshot);
Result<ForecastSnapshot> load_forecast_snapshot(const std::string& path);

}  // namespace elastane
