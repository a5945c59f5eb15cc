#include "elastane/io/cell.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>

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

// the parts of a date, from left to right
struct Scanner {
  std::string_view rest;

  bool take(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  // one digit or two
  bool few_digits(int most, int& value) { return digits(rest.size() > 1 && is_digit(rest[1]) ? 2 : 1, most, value); }
  bool digits(std::size_t count, int most, int& value) {
    if (rest.size() < count || !std::all_of(rest.begin(), rest.begin() + count, is_digit)) return false;
    value = 0;
    for (const char c : rest.substr(0, count)) value = value * 10 + (c - '0');
    rest.remove_prefix(count);
    return value <= most;
  }
  // .25; digits beyond the precision of a double are skipped
  bool fraction(double& value) {
    if (rest.empty() || !is_digit(rest[0])) return false;
    for (double unit = 0.1; !rest.empty() && is_digit(rest[0]); unit /= 10, rest.remove_prefix(1)) {
      value += unit * (rest[0] - '0');
    }
    return true;
  }
};

// days since 1970
bool scan_date(Scanner& s, double& days) {
  int year = 0, month = 0, day = 1;
  if (!s.digits(4, 9999, year)) return false;
  if (s.take('/')) {
    // as spreadsheets write it: 1990/1/31; with the day or the month first it is ambiguous, and refused
    if (!s.few_digits(12, month) || !s.take('/') || !s.few_digits(31, day)) return false;
  } else {
    if (!s.take('-') || !s.digits(2, 12, month)) return false;
    if (s.take('-') && !s.digits(2, 31, day)) return false;
  }
  const auto date = std::chrono::year(year) / month / day;
  if (!date.ok()) return false;
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return true;
}

bool scan_clock(Scanner& s, double& seconds) {
  int hour = 0, minute = 0, second = 0;
  double fraction = 0;
  if (!s.few_digits(23, hour) || !s.take(':') || !s.digits(2, 59, minute)) return false;
  if (s.take(':')) {
    if (!s.digits(2, 60, second)) return false;  // 60 in a leap second
    if (s.take('.') && !s.fraction(fraction)) return false;
  }
  seconds = hour * 3600 + minute * 60 + second + fraction;
  return true;
}

// Z, +02, +0200 or +02:00, in seconds east; without a zone it is UTC
bool scan_zone(Scanner& s, double& east) {
  if (s.rest.empty() || s.take('Z') || s.take('z')) return s.rest.empty();
  const bool west = s.take('-');
  int hour = 0, minute = 0;
  if (!west && !s.take('+')) return false;
  if (!s.digits(2, 23, hour)) return false;
  s.take(':');
  if (!s.rest.empty() && !s.digits(2, 59, minute)) return false;
  east = (west ? -1 : 1) * (hour * 3600 + minute * 60);
  return s.rest.empty();
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

std::optional<double> parse_time(std::string_view text) {
  Scanner s{text};
  double days = 0, seconds = 0, east = 0;
  if (!scan_date(s, days)) return {};
  if (s.rest.empty()) return days * 86400;
  if (!s.take('T') && !s.take('t') && !s.take(' ')) return {};
  if (!scan_clock(s, seconds) || !scan_zone(s, east)) return {};
  return days * 86400 + seconds - east;
}

TableCell read_cell(std::string_view text) {
  text = trimmed(text);
  if (is_missing(text)) return {TableCellKind::missing, kNan};
  if (const auto number = read_number(text)) return *number;
  if (const auto time = parse_time(text)) return {TableCellKind::time, *time};
  return {TableCellKind::text, kNan};
}

}  // namespace elastane
