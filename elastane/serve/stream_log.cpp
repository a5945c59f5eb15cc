#include "elastane/serve/stream_log.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "elastane/core/base/checksum.h"
#include "elastane/forecast/forecast_snapshot.h"
#include "elastane/io/file.h"
#include "elastane/serve/stream_id.h"

namespace elastane::serve {

StreamLog::StreamLog(std::string folder, AppendLog rows, AppendLog forecasts)
    : folder_(std::move(folder)), rows_(std::move(rows)), forecasts_(std::move(forecasts)) {}

Result<StreamLog> StreamLog::open(const std::string& folder, std::uint64_t most_bytes) {
  std::error_code error;
  std::filesystem::create_directories(folder + "/snapshots", error);
  if (error) return Error{"[log] " + folder + ": cannot create: " + error.message()};
  ELASTANE_TRY_ASSIGN(AppendLog rows, AppendLog::open(folder + "/rows.log", most_bytes));
  ELASTANE_TRY_ASSIGN(AppendLog forecasts, AppendLog::open(folder + "/forecasts.log"));
  StreamLog log(folder, std::move(rows), std::move(forecasts));
  ELASTANE_TRY(log.scan_rows());
  ELASTANE_TRY(log.scan_forecasts());
  return log;
}

// --- rows

Status StreamLog::scan_rows() {
  return rows_.read(0, rows_.size(), [&](std::uint64_t position, std::span<const std::byte> payload) -> Status {
    if (is_control(payload)) return note_control(position, payload);
    ELASTANE_TRY_ASSIGN(const RowBatch batch, parse_rows(payload));
    Positions& stream = rows_of_[batch.id];
    if (batch.first != stream.last() + 1) return Error{"[log] " + folder_ + "/rows.log: rows of a stream are missing"};
    stream.positions.insert(stream.positions.end(), batch.rows(), position);
    return {};
  });
}

Status StreamLog::note_control(std::uint64_t position, std::span<const std::byte> payload) {
  ELASTANE_TRY_ASSIGN(const Control control, parse_control(payload));
  if (control.kind == Control::Kind::model) {
    model_ = control.data;
    model_position_ = position;
    return {};
  }
  reset_[control.id] = position;
  forecasts_of_.erase(control.id);
  rows_of_.erase(control.id);
  if (control.kind == Control::Kind::erase) return {};
  ELASTANE_TRY_ASSIGN(const ForecastSnapshot snapshot, parse_forecast_snapshot(std::as_bytes(std::span(control.data))));
  has_restored_ = true;
  rows_of_[control.id].first = snapshot.rows + 1;
  return {};
}

std::uint64_t StreamLog::last_row(const std::string& id) const {
  const auto at = rows_of_.find(id);
  return at == rows_of_.end() ? 0 : at->second.last();
}

void StreamLog::append(const RowBatch& batch) {
  Positions& stream = rows_of_[batch.id];
  uncommitted_.emplace(batch.id, stream.last());
  stream.positions.insert(stream.positions.end(), batch.rows(), rows_.append(to_bytes(batch)));
}

Status StreamLog::commit() {
  const auto before = std::exchange(uncommitted_, {});
  Status done =
      is_broken_ ? Status(Error{"[log] " + folder_ + "/rows.log: an earlier write failed; restart"}) : rows_.write();
  if (done) {
    done = rows_.sync();
    is_broken_ = !done;  // it is not known what of it is on the disk
  }
  if (done) return done;
  for (const auto& [id, last] : before) {
    Positions& stream = rows_of_[id];
    stream.positions.resize(static_cast<std::size_t>(last + 1 - stream.first));
    if (last == 0) rows_of_.erase(id);
  }
  return done;
}

Status StreamLog::append(const Control& control) {
  // forecasts that were made before it must not be needed again: a model that is gone could not make them
  ELASTANE_TRY(forecasts_.write());
  ELASTANE_TRY(forecasts_.sync());
  const std::vector<std::byte> bytes = to_bytes(control);
  const std::uint64_t position = rows_.append(bytes);
  ELASTANE_TRY(commit());
  ELASTANE_TRY(note_control(position, bytes));
  if (control.kind == Control::Kind::model) return {};
  // the forecasts of the stream begin again
  forecasts_.append(bytes);
  return forecasts_.write();
}

std::map<std::string, std::uint64_t> StreamLog::begins(const std::map<std::string, std::uint64_t>& known) const {
  auto begins = reset_;
  for (const auto& [id, position] : known) begins[id] = std::max(begins[id], position);
  return begins;
}

bool StreamLog::is_current(const std::string& id, std::uint64_t position) const {
  const auto reset = reset_.find(id);
  return rows_of_.contains(id) && (reset == reset_.end() || reset->second < position);
}

Status StreamLog::replay(std::uint64_t from, std::uint64_t to, const std::map<std::string, std::uint64_t>& begins,
                         const Replay& each) const {
  const std::uint64_t model_position = model_position_;
  const auto begin_of = [&](const std::string& id) {
    const auto begin = begins.find(id);
    return begin == begins.end() ? 0 : begin->second;
  };
  return rows_.read(from, to, [&](std::uint64_t position, std::span<const std::byte> payload) -> Status {
    if (is_control(payload)) {
      ELASTANE_TRY_ASSIGN(const Control control, parse_control(payload));
      if (control.kind != Control::Kind::restore || position < begin_of(control.id)) return {};
      return each.restore(control);
    }
    ELASTANE_TRY_ASSIGN(const RowBatch batch, parse_rows(payload));
    if (position < begin_of(batch.id)) return {};
    return each.rows(batch, position > model_position);
  });
}

// --- forecasts

Status StreamLog::scan_forecasts() {
  return forecasts_.read(0, forecasts_.size(),
                         [&](std::uint64_t position, std::span<const std::byte> payload) -> Status {
                           if (is_control(payload)) {
                             ELASTANE_TRY_ASSIGN(const Control control, parse_control(payload));
                             forecasts_of_.erase(control.id);
                             return {};
                           }
                           ELASTANE_TRY_ASSIGN(const ForecastBatch batch, parse_forecasts(payload));
                           note_forecasts(position, batch);
                           return {};
                         });
}

void StreamLog::note_forecasts(std::uint64_t position, const ForecastBatch& batch) {
  Positions& stream = forecasts_of_[batch.id];
  if (stream.positions.empty()) stream.first = batch.forecasts.front().number;
  stream.positions.insert(stream.positions.end(), batch.forecasts.size(), position);
}

std::uint64_t StreamLog::last_forecast(const std::string& id) const {
  const auto at = forecasts_of_.find(id);
  return at == forecasts_of_.end() ? 0 : at->second.last();
}

void StreamLog::append(const ForecastBatch& batch) { note_forecasts(forecasts_.append(to_bytes(batch)), batch); }

Result<std::vector<ForecastRecord>> StreamLog::read(const std::string& id, std::uint64_t from, std::size_t most) const {
  std::vector<ForecastRecord> found;
  const auto at = forecasts_of_.find(id);
  if (at == forecasts_of_.end() || from > last_forecast(id)) return found;
  const Positions& stream = at->second;
  for (std::size_t i = std::max(from, stream.first) - stream.first;
       i < stream.positions.size() && found.size() < most;) {
    ELASTANE_TRY_ASSIGN(const auto bytes, forecasts_.read_one(stream.positions[i]));
    ELASTANE_TRY_ASSIGN(ForecastBatch batch, parse_forecasts(bytes));
    for (ForecastRecord& each : batch.forecasts) {
      if (each.number != stream.first + i || found.size() == most) continue;
      found.push_back(std::move(each));
      i += 1;
    }
    if (found.empty()) return Error{"[log] " + folder_ + "/forecasts.log: expected other forecasts of " + id};
  }
  return found;
}

Result<RowBatch> StreamLog::read_rows(const std::string& id, std::uint64_t from, std::size_t most) const {
  const auto at = rows_of_.find(id);
  if (at == rows_of_.end() || from > at->second.last() || most == 0) return RowBatch{.id = id};
  const Positions& stream = at->second;
  from = std::max(from, stream.first);
  RowBatch found{.id = id, .first = from};
  while (found.rows() < most && from + found.rows() <= stream.last()) {
    const std::uint64_t next = from + found.rows();
    ELASTANE_TRY_ASSIGN(const auto bytes,
                        rows_.read_one(stream.positions[static_cast<std::size_t>(next - stream.first)]));
    ELASTANE_TRY_ASSIGN(const RowBatch batch, parse_rows(bytes));
    if (next < batch.first || next > batch.last())
      return Error{"[log] " + folder_ + "/rows.log: expected other rows of " + id};
    found.has_dates = batch.has_dates;
    for (auto i = static_cast<std::size_t>(next - batch.first); i < batch.rows() && found.rows() < most; ++i) {
      found.times.push_back(batch.times[i]);
      found.values.insert(found.values.end(), batch.row(i).begin(), batch.row(i).end());
    }
  }
  return found;
}

// --- snapshots: the position, then the snapshot

std::string StreamLog::snapshot_path(const std::string& id) const {
  const auto bytes = std::as_bytes(std::span(id));
  return folder_ + "/snapshots/" + hex_text(hash64(bytes, 1)) + hex_text(hash64(bytes, 2));
}

Status StreamLog::save_snapshot(const std::string& id, std::span<const std::byte> snapshot) {
  std::vector<std::byte> bytes(sizeof(std::uint64_t));
  const std::uint64_t position = rows_.size();
  std::memcpy(bytes.data(), &position, sizeof position);
  bytes.insert(bytes.end(), snapshot.begin(), snapshot.end());
  return write_file(snapshot_path(id), bytes);
}

void StreamLog::load_snapshots(const EachSnapshot& each) const {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/snapshots", error)) {
    const auto file = FileContent::open(entry.path());
    if (!file || file->bytes().size() < sizeof(std::uint64_t)) continue;
    std::uint64_t position = 0;
    std::memcpy(&position, file->bytes().data(), sizeof position);
    // a state of rows that were lost with the disk is of no use
    if (position > rows_.size()) continue;
    each(position, file->bytes().subspan(sizeof position));
  }
}

}  // namespace elastane::serve
