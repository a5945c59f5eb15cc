// Splits lines of separated values into records of fields, with quotes (RFC 4180) and a delimiter that is detected.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/io/cell.h"

namespace elastane {

// comma, semicolon or tab: the one that occurs most often outside quotes
char recognise_delimiter(std::string_view line);

// A record, which continues in the next line if a quote is open at the end of a line. Fields are views of the last line,
// or of lines held here.
class CsvRecord {
 public:
  // starts a new record
  void begin(char delimiter);

  // the next line, without its newline; false: the record continues in the next line
  bool add(std::string_view line);
  bool is_open() const { return open_; }
  std::size_t open_field() const { return field_; }  // the field whose quote is open
  std::size_t size() const { return held_.size(); }  // bytes held of a record that is not complete

  // the fields of a complete record, read in this style; refuses text after a closing quote
  Result<std::span<const TableField>> split(const CellStyle& style = {});

 private:
  void scan(std::string_view line);
  bool split_quoted(std::size_t& at, std::string_view& text);

  char delimiter_ = ',';
  std::string_view record_;
  std::string held_;      // lines so far, if there is more than one
  std::string unquoted_;  // text of fields that had quotes
  std::vector<TableField> fields_;

  // state of the scan
  bool open_ = false;
  std::size_t field_ = 0;
};

}  // namespace elastane
