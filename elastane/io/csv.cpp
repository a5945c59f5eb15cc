#include "elastane/io/csv.h"

#include <algorithm>
#include <array>

namespace elastane {

char recognise_delimiter(std::string_view line) {
  constexpr std::string_view kDelimiters = "\t;,";  // the first of equally frequent ones: commas also occur in names
  std::array<int, kDelimiters.size()> counts = {};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    const std::size_t which = kDelimiters.find(c);
    if (!quoted && which != kDelimiters.npos) counts[which] += 1;
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  return *most == 0 ? ',' : kDelimiters[static_cast<std::size_t>(most - counts.begin())];
}

void CsvRecord::begin(char delimiter) {
  delimiter_ = delimiter;
  held_.clear();
  open_ = false;
  field_ = 0;
}

// finds out whether a quote is open at the end of the line, and in which field
void CsvRecord::scan(std::string_view line) {
  if (!open_ && line.find('"') == line.npos) return;
  bool may_open = !open_, closed = false;
  for (const char c : line) {
    if (open_) {
      closed = c == '"';  // or the first of two quotes, of which the second opens it again
      open_ = !closed;
      may_open = false;
    } else if (c == '"' && (may_open || closed)) {
      open_ = true;
    } else {
      field_ += c == delimiter_ ? 1 : 0;
      may_open = c == delimiter_ || (may_open && c == ' ');
      closed = false;
    }
  }
}

bool CsvRecord::add(std::string_view line) {
  const bool continues = open_;
  scan(line);
  if (continues) held_.append(1, '\n');
  if (continues || open_) held_.append(line);
  record_ = continues ? std::string_view(held_) : line;
  return !open_;
}

// the text between quotes from `at` on; `at` is then after the field
bool CsvRecord::split_quoted(std::size_t& at, std::string_view& text) {
  const std::size_t begin = unquoted_.size();
  while (true) {
    const std::size_t quote = record_.find('"', at + 1);
    if (quote == record_.npos) return false;
    unquoted_.append(record_, at + 1, quote - at - 1);
    at = quote + 1;
    if (at == record_.size() || record_[at] != '"') break;
    unquoted_ += '"';
  }
  text = std::string_view(unquoted_).substr(begin);
  at = std::min(record_.find_first_not_of(' ', at), record_.size());
  return at == record_.size() || record_[at] == delimiter_;
}

Result<std::span<const TableField>> CsvRecord::split(const CellStyle& style) {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(record_.size());  // so that views into it stay valid
  for (std::size_t at = 0;; ++at) {
    std::string_view text;
    const std::size_t first = record_.find_first_not_of(' ', at);
    if (first != record_.npos && record_[first] == '"') {
      at = first;
      if (!split_quoted(at, text)) {
        return Error{"field " + std::to_string(fields_.size() + 1) +
                     ": expected a delimiter after the closing quote, found text; double the quotes inside of it"};
      }
    } else {
      const std::size_t end = std::min(record_.find(delimiter_, at), record_.size());
      text = record_.substr(at, end - at);
      at = end;
    }
    fields_.push_back({read_cell(text, style), text});
    if (at >= record_.size()) return std::span<const TableField>(fields_);
  }
}

}  // namespace elastane
