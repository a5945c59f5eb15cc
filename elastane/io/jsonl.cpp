#include "elastane/io/jsonl.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "elastane/io/trace_line.h"

namespace elastane {
namespace {

// turns the events of the parser into fields
class RowEvents {
 public:
  RowEvents(std::string_view line, JsonLine& out, const CellStyle& style) : line_(line), out_(out), style_(style) {}

  bool null() { return value({TableCellKind::missing, std::numeric_limits<double>::quiet_NaN()}, ""); }
  bool boolean(bool flag) { return refuse("a number, null or a text", flag ? "true" : "false"); }
  bool number_integer(std::int64_t whole) { return number(static_cast<double>(whole), std::to_string(whole)); }
  bool number_unsigned(std::uint64_t whole) { return number(static_cast<double>(whole), std::to_string(whole)); }
  bool number_float(double real, const std::string& literal) { return number(real, literal); }
  bool string(const std::string& text) { return value(read_cell(text, style_), text); }
  bool binary(const nlohmann::json::binary_t& /*bytes*/) { return false; }  // not in text
  bool start_object(std::size_t /*unknown*/) { return open(false); }
  bool start_array(std::size_t /*unknown*/) { return open(true); }
  bool end_object() { return true; }
  bool end_array() { return true; }

  bool key(const std::string& word) {
    out_.keys.push_back(word);
    if (keys_.insert(word).second) return true;
    out_.keys.pop_back();
    return refuse("the key " + excerpt(word) + " once", "it twice");
  }

  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception& why) {
    const bool too_large = why.id == 406;  // nlohmann's out_of_range for numbers
    if (too_large) return refuse("numbers within a double's range", "one beyond it");
    const std::size_t begin = std::min(position == 0 ? 0 : position - 1, line_.size());
    const std::string rest = excerpt(line_.substr(begin));
    return refuse("JSON", rest.empty() ? "the line's end" : rest + " at column " + std::to_string(begin + 1));
  }

  const std::string& verdict() const { return why_; }

 private:
  bool number(double value_, std::string text) { return value({TableCellKind::number, value_}, std::move(text)); }

  bool value(TableCell cell, std::string text) {
    if (!inside_) return refuse("an object or a list of numbers", text.empty() ? "null" : excerpt(text));
    out_.fields.push_back({cell, {}});
    out_.texts.push_back(std::move(text));
    return true;
  }

  bool open(bool list) {
    if (inside_) return refuse("a number, null or a text", list ? "a list" : "an object");
    inside_ = true;
    out_.is_list = list;
    return true;
  }

  bool refuse(const std::string& expected, const std::string& found) {
    if (!why_.empty()) return false;
    why_ = "expected " + expected + ", found " + found;
    const bool has_key = !out_.keys.empty() && out_.keys.size() > out_.fields.size();
    if (has_key) why_ = "column " + excerpt(out_.keys.back()) + ": " + why_;
    return false;
  }

  std::string_view line_;
  JsonLine& out_;
  CellStyle style_;
  bool inside_ = false;
  std::unordered_set<std::string> keys_;
  std::string why_;
};

}  // namespace

Status parse_json_line(std::string_view line, JsonLine& out, const CellStyle& style) {
  // the parser takes a zero byte for the end of the text
  if (line.find('\0') != line.npos) return Error{"expected JSON, found a zero byte"};
  out.keys.clear();
  out.fields.clear();
  out.texts.clear();
  RowEvents events(line, out, style);
  nlohmann::json::sax_parse(line.begin(), line.end(), &events);
  if (!events.verdict().empty()) return Error{events.verdict()};
  for (std::size_t i = 0; i < out.fields.size(); ++i) out.fields[i].text = out.texts[i];
  return {};
}

}  // namespace elastane
