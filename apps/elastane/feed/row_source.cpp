#include "apps/elastane/feed/row_source.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "elastane/io/cell.h"
#include "elastane/serve/stream_id.h"

namespace elastane::app {

RowSource::RowSource(const RowSourceOptions& options, const command_line::StopSignals& stop)
    : options_(options), lines_(options.input, stop) {
  if (options.spool.empty()) return;
  spool_ = serve::AppendLog::open(options.spool).value();
  spool_
      ->read(0, spool_->size(),
             [&](std::uint64_t, std::span<const std::byte> line) -> Status {
               spooled_.emplace_back(reinterpret_cast<const char*>(line.data()), line.size());
               return {};
             })
      .value();
  if (!spooled_.empty()) header_ = spooled_.front();
}

bool RowSource::next_line(std::string& line) {
  if (taken_ < spooled_.size()) {
    line = spooled_[taken_++];
    return true;
  }
  std::string_view read;
  while (lines_.next(read)) {
    line = read;
    // a source that starts again repeats its header
    if (spool_ && !header_.empty() && line == header_ && taken_ > 0) {
      header_.clear();
      continue;
    }
    header_.clear();
    if (spool_) spool_->append(std::as_bytes(std::span(line)));
    return true;
  }
  return false;
}

bool RowSource::next(serve::RowBatch& row) {
  std::string line;
  while (next_line(line)) {
    if (take(line, row)) return true;
  }
  return false;
}

bool RowSource::take(std::string_view line, serve::RowBatch& row) {
  if (!text_) {
    if (trimmed(line).empty()) return false;
    const bool is_json = trimmed(line).starts_with('{') || trimmed(line).starts_with('[');
    text_.emplace(options_.channels, options_.format.value_or(is_json ? RowFormat::jsonl : RowFormat::csv),
                  options_.input);
  }
  const Result<bool> is_row = text_->feed(line);
  const bool is_skipped = !is_row && options_.skips_bad && !text_->is_unreadable();
  if (!is_skipped && !is_row.value()) return false;
  row = {.id = is_skipped || text_->id().empty() ? options_.id : text_->id(), .has_dates = text_->has_dates()};
  if (!serve::is_stream_id(row.id)) {
    throw std::runtime_error("[feed] " + options_.input +
                             ": expected --id NAME, or a column unique_id with the names of streams");
  }
  row.first = ++numbers_[row.id];
  row.times = {is_skipped ? NAN : text_->time()};
  row.values.assign(options_.channels.size(), NAN);
  if (!is_skipped) std::ranges::copy(text_->values(), row.values.begin());
  return true;
}

void RowSource::sync() {
  if (!spool_) return;
  spool_->write().value();
  spool_->sync().value();
}

}  // namespace elastane::app
