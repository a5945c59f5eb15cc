#include "apps/elastane/run/row_stream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace elastane::app {
namespace {

constexpr std::uint64_t kLongGap = 4096;  // ticks after the model's last row; later, the past says nothing

ForecasterOptions cold(ForecasterOptions options) {
  options.warm = false;
  return options;
}

}  // namespace

RowStream::RowStream(SharedForecastModel model, const RowStreamOptions& options)
    : model_(std::move(model)), options_(options), cold_(model_, cold(options.forecaster)) {
  if (options_.format) open({});
}

// --- lines

void RowStream::open(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  const bool is_json = trimmed(line).starts_with('{') || trimmed(line).starts_with('[');
  format_ = options_.format.value_or(is_json ? RowFormat::jsonl : RowFormat::csv);
  reader_.emplace(format_, options_.source, TableOptions{.strict = true, .needed = model_->names});
  for (; blank_lines_ > 0; --blank_lines_) (void)reader_->feed("", row_);
}

bool RowStream::feed(std::string_view line) {
  if (const auto header = std::exchange(repeated_header_, {}); header && (line == *header || line == *header + '\r')) {
    return false;
  }
  if (!reader_) {
    if (trimmed(line).empty() || line == "\r") return blank_lines_ += 1, false;
    open(line);
  }
  const Result<bool> taken = read(line);
  if (!reader_->header()) throw std::runtime_error(reader_->header().error());
  if (!taken) return take_bad_row(taken.error());
  return *taken && take_row();
}

bool RowStream::finish() {
  if (!reader_) return false;
  const Status whole = reader_->finish();
  return !whole && take_bad_row(whole.error());
}

Result<bool> RowStream::read(std::string_view line) {
  // what a bad row had before it went wrong stays here, and is worth having
  row_.id.clear();
  row_.time = NAN;
  Result<bool> taken = reader_->feed(line, row_);
  if (!has_begun()) remember(line, taken);
  return taken;
}

// the lines that name the columns, and those of the first good row: enough to read others like it
void RowStream::remember(std::string_view line, const Result<bool>& taken) {
  if (!taken) return record_.clear();
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (record_.empty() && trimmed(line).empty()) return;
  record_.emplace_back(line);
  if (reader_->is_inside_record()) return;
  (*taken ? example_ : header_) = std::exchange(record_, {});
}

// by name, or by position where there are no names
void RowStream::match_columns() {
  const auto& columns = reader_->columns();
  const auto& names = model_->names;
  std::vector<std::size_t> found;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = std::ranges::find(columns, names[i]);
    if (at == columns.end()) missing.push_back(names[i]);
    found.push_back(static_cast<std::size_t>(at - columns.begin()));
  }
  if (!reader_->is_named()) {
    if (columns.size() != names.size()) {
      throw std::runtime_error(
          fmt::format("[run] {}: expected {} values a row ({}), found {}; a header would name them", options_.source,
                      names.size(), fmt::join(names, ", "), columns.size()));
    }
    for (std::size_t i = 0; i < names.size(); ++i) found[i] = i;
  } else if (!missing.empty()) {
    throw std::runtime_error(fmt::format("[run] {}: expected the columns {}, which the model learned from; found {}",
                                         options_.source, fmt::join(missing, ", "), fmt::join(columns, ", ")));
  }
  channel_of_ = std::move(found);
}

// --- rows

bool RowStream::take_row() {
  if (!has_begun()) match_columns();
  if (skip_ > 0) return skip_ -= 1, false;
  outcome_ = {};
  auto at = streams_.find(row_.id);
  const bool is_new = at == streams_.end();
  if (is_new) {
    if (streams_.size() >= options_.most_streams) {
      return take_bad_row(fmt::format("expected at most {} series, found another, {}", streams_.size(), row_.id));
    }
    at = streams_.emplace(row_.id, make_stream()).first;
  }
  values_.clear();
  for (const std::size_t column : channel_of_) values_.push_back(row_.values[column]);
  const PlacedStream::Taken taken = at->second.take(row_.time, values_, options_.budget);
  if (taken.refused.empty()) return end_row(&at->second, taken, "");
  if (is_new) streams_.erase(at);
  const std::string bad = fmt::format("[run] {}, line {}: {}", options_.source, reader_->line(), taken.refused);
  if (options_.strict) throw std::runtime_error(fmt::format("row {}: {}", rows_ + 1, bad));
  return end_row(is_new ? nullptr : &at->second, taken, bad);
}

bool RowStream::take_bad_row(const std::string& why) {
  if (skip_ > 0) return skip_ -= 1, false;
  if (options_.strict) throw std::runtime_error(fmt::format("row {}: {}", rows_ + 1, why));
  outcome_ = {};
  const auto at = has_begun() ? streams_.find(row_.id) : streams_.end();
  if (at == streams_.end()) return end_row(nullptr, {}, why);
  return end_row(&at->second, at->second.miss(row_.time, options_.budget), why);
}

bool RowStream::end_row(const PlacedStream* stream, const PlacedStream::Taken& taken, const std::string& bad) {
  rows_ += 1;
  bad_rows_ += bad.empty() ? 0 : 1;
  outcome_.row = rows_;
  outcome_.id = row_.id;
  outcome_.time = row_.time;
  outcome_.bad = bad;
  outcome_.is_late = taken.is_late;
  outcome_.report = taken.report;
  if (stream != nullptr) {
    outcome_.forecaster = &stream->forecaster();
    outcome_.report.drift = stream->forecaster().alarm().on > 0;
  }
  return true;
}

// --- streams

PlacedStream RowStream::make_stream() { return {has_ids() ? start_of_id() : start_alone(), is_timed(), options_.late}; }

Forecaster RowStream::start_of_id() {
  if (options_.start == Start::warm && rows_ == 0) {
    throw std::runtime_error("[run] --start warm: expected rows of one series, found a column " + reader_->id_column() +
                             "; many series start cold");
  }
  Forecaster forecaster = cold_;
  const auto units = std::ranges::find(model_->units, row_.id, &SeriesUnits::id);
  if (units != model_->units.end()) {
    forecaster.set_units(units->mean, units->deviation);
  } else if (!model_->units.empty()) {
    outcome_.note =
        fmt::format("series {} is new to the model; its rows are taken in the units of all series", row_.id);
  }
  return forecaster;
}

Forecaster RowStream::start_alone() {
  if (!model_->units.empty()) {
    outcome_.note =
        "rows have no unique_id, but the model learned from many series; they are taken in the units of all";
  }
  const bool is_asked = options_.start == Start::warm;
  if (options_.start == Start::cold || (!is_asked && (!is_timed() || !model_->units.empty()))) return cold_;
  ForecasterOptions options = options_.forecaster;
  options.warm = true;
  Forecaster warm(model_, options);
  if (!is_timed()) return warm;
  const auto tick = tick_of(model_->grid, row_.time);
  if (tick && *tick >= warm.tick() && *tick - warm.tick() <= kLongGap) return warm;
  if (!is_asked) return cold_;
  throw std::runtime_error(fmt::format(
      "[run] --start warm: expected a first row at most {} rows after the model's last, found one {} rows after it",
      kLongGap, tick ? static_cast<double>(*tick) - static_cast<double>(warm.tick()) + 1 : NAN));
}

// --- snapshots

ForecastSnapshot RowStream::snapshot() const {
  ForecastSnapshot s;
  s.fingerprint = cold_.fingerprint();
  s.metric = cold_.options().metric;
  s.rows = rows_;
  s.bad_rows = bad_rows_;
  s.format = format_;
  s.header = header_;
  s.example = example_;
  for (const auto& [id, stream] : streams_) {
    StreamSnapshot& each = s.streams.emplace_back();
    each.id = id;
    stream.save(each);
  }
  return s;
}

void RowStream::restore(const ForecastSnapshot& s, Input input) {
  check_origin(s, cold_).value();
  // the columns as they were
  options_.format = s.format;
  open({});
  for (const auto* lines : {&s.header, &s.example}) {
    for (const std::string& line : *lines) (void)read(line);
  }
  if (example_.empty() || !reader_->header()) throw std::runtime_error("[snapshot] its columns cannot be read");
  match_columns();
  rows_ = s.rows;
  bad_rows_ = s.bad_rows;
  for (const StreamSnapshot& each : s.streams) {
    row_.id = each.id;
    PlacedStream stream(has_ids() ? start_of_id() : cold_, is_timed(), options_.late);
    stream.restore(each).value();
    streams_.emplace(each.id, std::move(stream));
  }
  outcome_ = {};
  if (input == Input::again) {
    skip_ = rows_;
    channel_of_.clear();
    open({});
  } else if (!header_.empty()) {
    repeated_header_ = header_.front();
  }
}

}  // namespace elastane::app
