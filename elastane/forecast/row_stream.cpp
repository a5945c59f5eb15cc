#include "elastane/forecast/row_stream.h"

#include <map>
#include <utility>

#include "elastane/core/base/checksum.h"
#include "elastane/forecast/channel_columns.h"
#include "elastane/forecast/series_stream.h"
#include "elastane/io/cell.h"
#include "elastane/io/number_text.h"

namespace elastane {

struct SeriesById : std::map<std::string, SeriesStream, std::less<>> {};

namespace {

ForecasterOptions cold(ForecasterOptions options) {
  options.warm = false;
  return options;
}

}  // namespace

RowStream::RowStream(SharedForecastModel model, const RowStreamOptions& options)
    : model_(std::move(model)),
      options_(options),
      cold_(model_, cold(options.forecaster)),
      series_(Owned<SeriesById>::make()) {
  if (options_.format) open_reader({});
}

std::vector<std::string> RowStream::ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, series] : *series_) ids.push_back(id);
  return ids;
}

const Forecaster* RowStream::forecaster(std::string_view id) const {
  const auto at = series_->find(id);
  return at == series_->end() ? nullptr : &at->second.forecaster();
}

// --- lines

void RowStream::open_reader(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  const bool is_json = trimmed(line).starts_with('{') || trimmed(line).starts_with('[');
  format_ = options_.format.value_or(is_json ? RowFormat::jsonl : RowFormat::csv);
  reader_.emplace(format_, options_.source,
                  TableOptions{.strict = true, .needed = model_->names, .style = options_.style});
  for (; blank_lines_ > 0; --blank_lines_) (void)reader_->feed("", row_);
}

Result<bool> RowStream::feed_line(std::string_view line) {
  if (const auto header = std::exchange(repeated_header_, {}); header && (line == *header || line == *header + '\r')) {
    return false;
  }
  if (!reader_) {
    if (trimmed(line).empty() || line == "\r") return blank_lines_ += 1, false;
    open_reader(line);
  }
  const std::string_view hashed = line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  hash_ = hash64(std::as_bytes(std::span(hashed)), hash_ + 1);
  const Result<bool> complete = read_line(line);
  if (!reader_->header()) return Error{reader_->header().error()};
  if (!complete) return reject_row(complete.error());
  return *complete ? accept_row() : false;
}

Result<bool> RowStream::finish() {
  if (!reader_) return false;
  const Status whole = reader_->finish();
  return whole ? false : reject_row(whole.error());
}

Result<bool> RowStream::read_line(std::string_view line) {
  // the id and time of an invalid row, as far as they were read, stay in row_
  row_.id.clear();
  row_.time = NAN;
  Result<bool> complete = reader_->feed(line, row_);
  if (!has_columns()) remember_lines(line, complete);
  return complete;
}

// keeps the lines that name the columns and those of the first valid row: enough to read other rows like it
void RowStream::remember_lines(std::string_view line, const Result<bool>& complete) {
  if (!complete) return record_.clear();
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (record_.empty() && trimmed(line).empty()) return;
  record_.emplace_back(line);
  if (reader_->is_inside_record()) return;
  (*complete ? example_ : header_) = std::exchange(record_, {});
}

Status RowStream::match_columns() {
  ELASTANE_TRY_ASSIGN(channel_of_, columns_of_channels(*reader_, model_->names, options_.source));
  return {};
}

// --- rows

Result<bool> RowStream::accept_row() {
  if (!has_columns()) {
    if (const Status matched = match_columns(); !matched) return Error{matched.error()};
  }
  if (skip_ > 0) return skip_row();
  outcome_ = {};
  auto at = series_->find(row_.id);
  const bool is_new = at == series_->end();
  if (is_new) {
    if (series_->size() >= options_.most_series) {
      return reject_row("expected at most " + std::to_string(series_->size()) + " series, found another, " + row_.id);
    }
    auto started = start_series();
    if (!started) return Error{started.error()};
    at = series_->emplace(row_.id, *std::move(started)).first;
  }
  values_.clear();
  for (const std::size_t column : channel_of_) values_.push_back(row_.values[column]);
  const RowResult result = at->second.observe_row(row_.time, values_, options_.budget);
  outcome_.values = values_;
  if (result.rejected.empty()) return finish_row(&at->second, result, ""), true;
  if (is_new) series_->erase(at);
  const std::string invalid =
      "[rows] " + options_.source + ", line " + std::to_string(reader_->line()) + ": " + result.rejected;
  if (options_.strict) return Error{"row " + std::to_string(rows_ + 1) + ": " + invalid};
  return finish_row(is_new ? nullptr : &at->second, result, invalid), true;
}

// a row that the snapshot has consumed; the last of them shows whether the input is the same
Result<bool> RowStream::skip_row() {
  if (skip_ == 1 && hash_ != skipped_hash_) {
    return Error{"[rows] " + options_.source + ": expected the " + std::to_string(rows_) +
                 " rows that the snapshot has consumed, found others; was the file rotated? Pass only later rows on "
                 "stdin, or start without the snapshot"};
  }
  row_hash_ = hash_;
  skip_ -= 1;
  return false;
}

Result<bool> RowStream::reject_row(const std::string& why) {
  if (skip_ > 0) return skip_row();
  if (options_.strict) return Error{"row " + std::to_string(rows_ + 1) + ": " + why};
  outcome_ = {};
  const auto at = has_columns() ? series_->find(row_.id) : series_->end();
  if (at == series_->end()) return finish_row(nullptr, {}, why), true;
  return finish_row(&at->second, at->second.observe_unreadable_row(row_.time, options_.budget), why), true;
}

void RowStream::finish_row(const SeriesStream* series, const RowResult& result, const std::string& invalid) {
  rows_ += 1;
  row_hash_ = hash_;
  invalid_rows_ += invalid.empty() ? 0 : 1;
  outcome_.row = rows_;
  outcome_.id = row_.id;
  outcome_.time = row_.time;
  outcome_.invalid = invalid;
  outcome_.is_late = result.is_late;
  if (result.clock_reset) outcome_.note = "the times of earlier rows were wrong; the clock continues from this row";
  outcome_.report = result.report;
  if (series == nullptr) return;
  outcome_.forecaster = &series->forecaster();
  outcome_.report.drift = series->forecaster().drift();
}

// --- series

Result<SeriesStream> RowStream::start_series() {
  auto forecaster = has_ids() ? start_with_id() : start_without_id();
  if (!forecaster) return Error{forecaster.error()};
  return SeriesStream(*std::move(forecaster), is_timed(), options_.late);
}

Result<Forecaster> RowStream::start_with_id() {
  if (options_.start == StartMode::warm && rows_ == 0) {
    return Error{"[rows] start warm: expected rows of one series, found a column " + reader_->id_column() +
                 "; many series start cold"};
  }
  Forecaster forecaster = cold_;
  if (!set_units_of(row_.id, forecaster) && !model_->units.empty()) {
    outcome_.note = "series " + row_.id + " is new to the model; its rows are scaled by the units of all series";
  }
  return forecaster;
}

Result<Forecaster> RowStream::start_without_id() {
  if (!model_->units.empty()) {
    outcome_.note =
        "rows have no unique_id, but the model learned from many series; they are scaled by the units of all series";
  }
  const bool must_be_warm = options_.start == StartMode::warm;
  if (options_.start == StartMode::cold || (!must_be_warm && (!is_timed() || !model_->units.empty()))) {
    const bool lacks_times = options_.start != StartMode::cold && model_->units.empty() && model_->grid.step > 0;
    if (lacks_times) outcome_.note = "starts cold: rows have no times; --start warm continues where training ended";
    return cold_;
  }
  ForecasterOptions options = options_.forecaster;
  options.warm = true;
  Forecaster warm(model_, options);
  if (!is_timed()) return warm;
  const auto tick = tick_of(model_->grid, row_.time);
  if (tick && *tick >= warm.tick() && *tick - warm.tick() <= kLongGap) return warm;
  if (!must_be_warm) {
    outcome_.note = "starts cold: the first row does not follow the model's last within " + std::to_string(kLongGap) +
                    " rows; is the time zone the same?";
    return cold_;
  }
  const double after = tick ? static_cast<double>(*tick) - static_cast<double>(warm.tick()) + 1 : NAN;
  return Error{"[rows] start warm: expected a first row at most " + std::to_string(kLongGap) +
               " rows after the model's last, found one " + number_text(after) + " rows after it"};
}

// --- snapshots

ForecastSnapshot RowStream::snapshot() const {
  ForecastSnapshot s;
  s.fingerprint = cold_.fingerprint();
  s.learning = cold_.options().learning;
  s.rows = rows_;
  s.invalid_rows = invalid_rows_;
  s.format = format_;
  s.input_hash = row_hash_;
  s.header = header_;
  s.example = example_;
  for (const auto& [id, series] : *series_) {
    SeriesStreamSnapshot& each = s.streams.emplace_back();
    each.id = id;
    series.save(each);
  }
  return s;
}

Status RowStream::restore(const ForecastSnapshot& s, Input input) {
  if (const Status fits = check_origin(s, cold_); !fits) return fits;
  // the columns as they were
  options_.format = s.format;
  open_reader({});
  for (const auto* lines : {&s.header, &s.example}) {
    for (const std::string& line : *lines) (void)read_line(line);
  }
  if (!reader_->header() || (s.example.empty() && !s.streams.empty())) {
    return Error{"[snapshot] its columns cannot be read"};
  }
  if (!s.example.empty()) {
    if (const Status matched = match_columns(); !matched) return matched;
  }
  rows_ = s.rows;
  invalid_rows_ = s.invalid_rows;
  for (const SeriesStreamSnapshot& each : s.streams) {
    row_.id = each.id;
    auto start = has_ids() ? start_with_id() : cold_;
    if (!start) return Error{start.error()};
    SeriesStream series(*std::move(start), is_timed(), options_.late);
    if (const Status fits = series.restore(each); !fits) return fits;
    series_->emplace(each.id, std::move(series));
  }
  outcome_ = {};
  hash_ = row_hash_ = s.input_hash;
  if (input == Input::all_rows) {
    skip_ = rows_;
    skipped_hash_ = s.input_hash;
    hash_ = 0;
    channel_of_.clear();
    open_reader({});
  } else if (!header_.empty()) {
    repeated_header_ = header_.front();
  }
  return {};
}

}  // namespace elastane
