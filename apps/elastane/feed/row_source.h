// The rows of a file or of standard input with their numbers, in the order in which they came, also after a restart.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/elastane/run/line_source.h"
#include "elastane/serve/append_log.h"
#include "elastane/serve/row_text.h"

namespace elastane::app {

struct RowSourceOptions {
  std::string input = "-";  // "-": standard input
  std::string id;           // of rows without a column unique_id
  std::string spool;        // file that keeps the lines of standard input; "": none
  std::vector<std::string> channels;
  std::optional<RowFormat> format;  // none: by the first line
  bool skips_bad = false;           // a row that cannot be read has no values, and is not an error
};

class RowSource {
 public:
  // throws if the input or the spool cannot be opened
  RowSource(const RowSourceOptions& options, const command_line::StopSignals& stop);

  // The next row as a batch of one, numbered within its stream; false: the end, or a signal. Throws at a row that cannot be
  // read, unless such rows are skipped: what is numbered must not change its number.
  bool next(serve::RowBatch& row);
  bool has_spool() const { return spool_.has_value(); }
  // before rows are sent: their lines are on the disk then
  void sync();

 private:
  bool next_line(std::string& line);
  bool take(std::string_view line, serve::RowBatch& row);

  RowSourceOptions options_;
  std::optional<serve::AppendLog> spool_;
  std::vector<std::string> spooled_;  // lines of an earlier run, not taken yet
  std::size_t taken_ = 0;
  std::string header_;  // the first line of the spool
  LineSource lines_;
  std::optional<serve::RowText> text_;
  std::map<std::string, std::uint64_t> numbers_;
};

}  // namespace elastane::app
