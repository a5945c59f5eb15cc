// Lines of separated values as records of fields, with quotes (RFC 4180) and a delimiter that is found, not asked for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/io/cell.h"

namespace elastane {

// of comma, semicolon and tab the one that is most often outside of quotes
char recognise_delimiter(std::string_view line);

// A record that may go on over several lines, where a quote is open at a line's end. Fields are views: of the last line
// given, or of what is held here.
class CsvRecord {
 public:
  // begins anew, with nothing held
  void begin(char delimiter);

  // joins the next line, without its newline; false: the record goes on in the line after it
  bool add(std::string_view line);
  bool is_open() const { return open_; }
  std::size_t open_field() const { return field_; }  // in which the quote was opened
  std::size_t size() const { return held_.size(); }  // bytes held of a record that goes on

  // the fields of a whole record; refuses text behind a closing quote
  Result<std::span<const TableField>> split();

 private:
  void scan(std::string_view line);
  bool split_quoted(std::size_t& at, std::string_view& text);

  char delimiter_ = ',';
  std::string_view record_;
  std::string held_;      // lines so far, if there is more than one
  std::string unquoted_;  // text of fields that had quotes
  std::vector<TableField> fields_;

  // where the scan stands
  bool open_ = false;
  std::size_t field_ = 0;
};

}  // namespace elastane
