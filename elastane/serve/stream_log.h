// What one partition keeps on the disk: a log of rows, a log of forecasts, and a snapshot of each stream.
//
//   FOLDER/rows.log        rows and controls, synced before anything else happens to them: the truth
//   FOLDER/forecasts.log   what was answered; recomputed from the rows if it is lost
//   FOLDER/snapshots/      states, so that a start does not replay every row; recomputed likewise
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "elastane/serve/append_log.h"
#include "elastane/serve/record.h"

namespace elastane::serve {

class StreamLog {
 public:
  // opens or creates the folder, and reads both logs
  static Result<StreamLog> open(const std::string& folder, std::uint64_t most_bytes);

  // --- rows
  std::uint64_t last_row(const std::string& id) const;  // its number; 0: none
  std::size_t streams() const { return rows_of_.size(); }
  bool has_room(std::uint64_t bytes) const { return rows_.has_room(bytes); }
  void append(const RowBatch& batch);     // waits for `commit`; its rows follow the last
  Status append(const Control& control);  // committed at once
  // writes and syncs; on failure everything that waited is dropped, and numbers continue as before
  Status commit();
  std::uint64_t end() const { return rows_.size(); }
  // from this number on, at most so many; empty: there are none
  Result<RowBatch> read_rows(const std::string& id, std::uint64_t from, std::size_t most) const;

  const std::string& model() const { return model_; }  // the last one named; "": none
  bool has_restored_streams() const { return has_restored_; }

  // Positions from which a session must see the rows of streams that it did not see from the first on: streams that were
  // erased or restored, and those whose state is known up to a position.
  std::map<std::string, std::uint64_t> begins(const std::map<std::string, std::uint64_t>& known = {}) const;
  bool is_current(const std::string& id, std::uint64_t position) const;  // nothing replaced the stream since then

  // Calls, in the order of the log, with the rows from `from` to `to`, and with the restores that are still in force.
  // `is_compared`: the current model made the forecasts that are stored. May run beside a thread that appends.
  struct Replay {
    std::function<Status(const RowBatch& batch, bool is_compared)> rows;
    std::function<Status(const Control& control)> restore;
  };
  Status replay(std::uint64_t from, std::uint64_t to, const std::map<std::string, std::uint64_t>& begins,
                const Replay& each) const;

  // --- forecasts
  std::uint64_t last_forecast(const std::string& id) const;  // its number; 0: none
  void append(const ForecastBatch& batch);
  Status write_forecasts() { return forecasts_.write(); }
  // from this number on, at most so many
  Result<std::vector<ForecastRecord>> read(const std::string& id, std::uint64_t from, std::size_t most) const;

  // --- snapshots
  Status save_snapshot(const std::string& id, std::span<const std::byte> snapshot);  // of the state now
  // those that are still of use, with the position up to which they hold
  using EachSnapshot = std::function<void(std::uint64_t position, std::span<const std::byte> snapshot)>;
  void load_snapshots(const EachSnapshot& each) const;

  std::uint64_t cut_bytes() const { return rows_.cut_bytes(); }

 private:
  // where the rows or the forecasts of a stream are
  struct Positions {
    std::uint64_t first = 1;               // number that the first position is of
    std::vector<std::uint64_t> positions;  // of the record that holds each
    std::uint64_t last() const { return first + positions.size() - 1; }
  };
  StreamLog(std::string folder, AppendLog rows, AppendLog forecasts);
  Status scan_rows();
  Status scan_forecasts();
  Status note_control(std::uint64_t position, std::span<const std::byte> payload);
  void note_forecasts(std::uint64_t position, const ForecastBatch& batch);
  std::string snapshot_path(const std::string& id) const;

  std::string folder_;
  AppendLog rows_, forecasts_;
  std::map<std::string, Positions> rows_of_;
  std::map<std::string, std::uint64_t> uncommitted_;  // the last numbers as they were before
  std::map<std::string, std::uint64_t> reset_;  // position of the last control of each stream, erased ones as well
  std::map<std::string, Positions> forecasts_of_;
  std::string model_;
  std::uint64_t model_position_ = 0;
  bool has_restored_ = false, is_broken_ = false;
};

}  // namespace elastane::serve
