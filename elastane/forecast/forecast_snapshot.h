// The state of a run of forecasters as a file: the state of every series, and how much input has been consumed.
//
//   header (64)   magic "ELASTRUN", version, header size, fingerprint, kind of learning, rows consumed, size of the body
//   body          how rows are read, then the series; numbers little-endian, texts and lists after their length
//   checksum (4)  CRC-32 of everything before it
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/forecast/forecaster.h"
#include "elastane/io/row_reader.h"

namespace elastane {

inline constexpr std::uint32_t kForecastSnapshotVersion = 5;

// a row and its tick
struct PlacedRow {
  std::uint64_t tick = 0;
  bool is_missing = false;  // nothing of it could be read; a late row may replace it
  std::vector<double> values;
};

// recent rows, and states from which they can be replayed
struct LateRowsSnapshot {
  std::uint64_t window = 0;                      // ticks that a row may be late
  std::uint64_t older_tick = 0, newer_tick = 0;  // of the next row of each state
  std::vector<double> older, newer;              // states
  std::vector<PlacedRow> rows;                   // since the older state
};

// one series; its units are the model's, by its id
struct SeriesStreamSnapshot {
  std::string id;
  std::vector<double> state;
  double time = 0;        // of the newest row; NaN: no row had one
  double ahead = 0;       // a time far ahead that waits to be confirmed; NaN: none
  double ahead_rows = 0;  // rows that confirmed it so far
  double anchor = 0;      // time of the row before the last gap; NaN: none
  double since_gap = 0;   // rows since then
  double back = 0;        // time of the last of the rows that continue from the anchor; NaN: none
  double back_rows = 0;   // how many they are
  LateRowsSnapshot late;
};

struct ForecastSnapshot {
  std::uint64_t fingerprint = 0;  // Forecaster::fingerprint()
  Learning learning = Learning::kalman;
  std::uint64_t rows = 0, invalid_rows = 0;  // rows consumed, and how many of them were invalid
  RowFormat format = RowFormat::csv;
  std::uint64_t input_hash = 0;      // of all lines consumed, to notice another input
  std::string pending;               // lines of consumed rows that could not be written
  std::vector<std::string> header;   // lines that name the columns; empty: they have no names
  std::vector<std::string> example;  // lines of the first valid row, from which the column types follow
  std::vector<SeriesStreamSnapshot> streams;
};

std::vector<std::byte> format_forecast_snapshot(const ForecastSnapshot& snapshot);
// refuses a file that is cut short, damaged or of another version
Result<ForecastSnapshot> parse_forecast_snapshot(std::span<const std::byte> bytes);
bool is_forecast_snapshot(std::span<const std::byte> bytes);  // by its first bytes

// fails if the snapshot was taken with another model or another kind of learning
Status check_origin(const ForecastSnapshot& snapshot, const Forecaster& forecaster);

// The state of one forecaster that rows reach without a source of lines, and back. Restoring refuses, without a change,
// what belongs to another model or holds other than one series.
ForecastSnapshot snapshot_of(const Forecaster& forecaster);
Status restore(const ForecastSnapshot& snapshot, Forecaster& forecaster);

Status save_forecast_snapshot(const std::string& path, const ForecastSnapshot& snapshot);
Result<ForecastSnapshot> load_forecast_snapshot(const std::string& path);

}  // namespace elastane
