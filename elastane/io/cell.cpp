#include "elastane/io/cell.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace elastane {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::string_view, 6> kMissingWords = {"na", "n/a", "nan", "null", "none", "?"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  if (is_digit(text[0]) || text.size() > 4) return false;
  return std::any_of(kMissingWords.begin(), kMissingWords.end(), [&](auto word) { return same_letters(word, text); });
}

// Is this decimal number at least 1? Asked for numbers outside the range of a double, which are far larger or smaller.
bool is_large(std::string_view digits) {
  const std::size_t e = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, e);
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
  const std::string_view exponent = digits.substr(std::min(e + 1, digits.size()));
  const bool negative = exponent.starts_with('-');
  std::int64_t power = 0;
  for (const char c : exponent) power = is_digit(c) ? std::min<std::int64_t>(power * 10 + (c - '0'), 1 << 30) : power;
  return (first < point ? point - first : point - first + 1) + (negative ? -power : power) > 0;
}

std::optional<TableCell> read_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return {};
  if (error == std::errc::result_out_of_range) value = is_large(text) ? HUGE_VAL : 0.0;
  if (std::isnan(value)) return TableCell{TableCellKind::missing, kNan};
  if (std::isinf(value)) return TableCell{TableCellKind::infinite, value};
  return TableCell{TableCellKind::number, value};
}

// digits in groups of three: 1,234,567 or 1 234
bool has_groups(std::string_view whole, char separator) {
  const std::size_t first = whole.find(separator);
  if (first == 0 || first > 3) return false;
  for (std::size_t at = first; at < whole.size(); at += 4) {
    if (whole[at] != separator || whole.size() - at < 4) return false;
    if (!std::all_of(whole.begin() + at + 1, whole.begin() + at + 4, is_digit)) return false;
  }
  return std::all_of(whole.begin(), whole.begin() + first, is_digit);
}

// A number as people write it: with a decimal comma, or with separators between thousands. Rewritten for from_chars.
std::optional<TableCell> read_written_number(std::string_view text, bool decimal_comma) {
  constexpr std::size_t kLongest = 64;
  if (text.size() > kLongest || text.find_first_of(",' .\xC2") == text.npos) return {};
  std::string plain;
  if (text[0] == '+' || text[0] == '-') plain += text[0], text.remove_prefix(1);
  const char decimal = decimal_comma ? ',' : '.';
  const std::size_t end = std::min({text.find(decimal), text.find_first_of("eE"), text.size()});
  std::string whole(text.substr(0, end));
  // spaces that do not break a line
  for (const std::string_view space : {"\xC2\xA0", "\xE2\x80\xAF"}) {
    for (std::size_t at = whole.find(space); at != whole.npos; at = whole.find(space))
      whole.replace(at, space.size(), " ");
  }
  if (const std::size_t mark = whole.find_first_not_of("0123456789"); mark != whole.npos) {
    const char separator = whole[mark];
    if (separator == decimal || std::string_view(",.' ").find(separator) == std::string_view::npos) return {};
    if (!has_groups(whole, separator)) return {};
    std::erase(whole, separator);
  }
  plain += whole;
  std::string rest(text.substr(end));
  if (rest.starts_with(decimal)) rest[0] = '.';
  return read_number(plain + rest);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

TableCell read_cell(std::string_view text, const CellStyle& style) {
  text = trimmed(text);
  if (is_missing(text)) return {TableCellKind::missing, kNan};
  if (!style.decimal_comma || text.find_first_of(".,") == text.npos) {
    if (const auto number = read_number(text)) return *number;
  }
  if (const auto number = read_written_number(text, style.decimal_comma)) return *number;
  if (const auto time = parse_time(text, style.order)) return {TableCellKind::time, *time};
  return {TableCellKind::text, kNan};
}

}  // namespace elastane
