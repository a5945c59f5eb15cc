// Rows as text, JSON lines or separated values, to the channels of a model.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/forecast/forecast_model.h"
#include "elastane/io/row_reader.h"
#include "elastane/serve/record.h"

namespace elastane::serve {

// line by line, for one source
class RowText {
 public:
  // `channels`: the names that the model has for them
  RowText(std::vector<std::string> channels, RowFormat format, std::string source, const CellStyle& style = {});

  // The next line, without its newline. True: it completed a row. An error concerns that row only, unless `is_unreadable`.
  Result<bool> feed(std::string_view line);
  Status finish() const { return reader_.finish(); }
  bool is_unreadable() const { return is_unreadable_; }  // the columns do not fit: no row can be read

  const std::string& id() const { return row_.id; }  // "": the row has none
  double time() const { return row_.time; }
  bool has_dates() const { return reader_.has_dates(); }
  std::span<const double> values() const { return values_; }  // one per channel

 private:
  std::vector<std::string> channels_;
  std::string source_;
  RowReader reader_;
  TableRow row_;
  std::vector<std::size_t> column_of_;
  std::vector<double> values_;
  bool is_unreadable_ = false;
};

// All rows of a text, which belong to the stream `id`: whole or not at all. The number of the first is left to the caller.
Result<RowBatch> parse_row_text(const std::vector<std::string>& channels, const std::string& id, RowFormat format,
                                std::string_view text, std::size_t most_rows);

}  // namespace elastane::serve
