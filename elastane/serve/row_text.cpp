#include "elastane/serve/row_text.h"

#include <utility>

#include "elastane/forecast/channel_columns.h"

namespace elastane::serve {

RowText::RowText(std::vector<std::string> channels, RowFormat format, std::string source, const CellStyle& style)
    : channels_(std::move(channels)),
      source_(std::move(source)),
      reader_(format, source_, TableOptions{.strict = true, .needed = channels_, .style = style}) {}

Result<bool> RowText::feed(std::string_view line) {
  const Result<bool> complete = reader_.feed(line, row_);
  is_unreadable_ = is_unreadable_ || !reader_.header();
  if (!complete) return Error{complete.error()};
  if (!*complete) return false;
  if (column_of_.empty()) {
    auto columns = columns_of_channels(reader_, channels_, source_);
    is_unreadable_ = !columns;
    if (!columns) return Error{columns.error()};
    column_of_ = *std::move(columns);
  }
  values_.clear();
  for (const std::size_t column : column_of_) values_.push_back(row_.values[column]);
  return true;
}

Result<RowBatch> parse_row_text(const std::vector<std::string>& channels, const std::string& id, RowFormat format,
                                std::string_view text, std::size_t most_rows) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  RowText rows(channels, format, "body");
  RowBatch batch{.id = id};
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    ELASTANE_TRY_ASSIGN(const bool complete, rows.feed(line));
    if (!complete) continue;
    if (!rows.id().empty() && rows.id() != id) {
      return Error{"[rows] body: expected rows of the stream in the path, found one with another unique_id"};
    }
    if (batch.rows() == most_rows) {
      return Error{"[rows] body: expected at most " + std::to_string(most_rows) +
                   " rows, found more; send them in parts"};
    }
    batch.times.push_back(rows.time());
    batch.values.insert(batch.values.end(), rows.values().begin(), rows.values().end());
  }
  ELASTANE_TRY(rows.finish());
  if (batch.rows() == 0) return Error{"[rows] body: expected at least one row, found none"};
  batch.has_dates = rows.has_dates();
  return batch;
}

}  // namespace elastane::serve
