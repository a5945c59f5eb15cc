#include "elastane/io/time_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace elastane {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// the parts of a time, from left to right
struct Scanner {
  std::string_view rest;

  bool take(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    if (rest.size() < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (lower(rest[i]) != word[i]) return false;
    }
    rest.remove_prefix(word.size());
    return true;
  }
  void skip_spaces() {
    while (take(' ')) {
    }
  }
  std::size_t count_digits() const {
    std::size_t n = 0;
    while (n < rest.size() && is_digit(rest[n])) ++n;
    return n;
  }
  bool digits(std::size_t count, int most, int& value) {
    if (count_digits() < count) return false;
    value = 0;
    for (const char c : rest.substr(0, count)) value = value * 10 + (c - '0');
    rest.remove_prefix(count);
    return value <= most;
  }
  // one digit or two
  bool few_digits(int most, int& value) { return digits(count_digits() > 1 ? 2 : 1, most, value); }
  // .25; digits beyond the precision of a double are skipped
  bool fraction(double& value) {
    if (count_digits() == 0) return false;
    for (double unit = 0.1; !rest.empty() && is_digit(rest[0]); unit /= 10, rest.remove_prefix(1)) {
      value += unit * (rest[0] - '0');
    }
    return true;
  }
  bool month_name(int& month) {
    constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                          "jul", "aug", "sep", "oct", "nov", "dec"};
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
      if (!take_word(kMonths[i])) continue;
      while (!rest.empty() && is_letter(rest[0])) rest.remove_prefix(1);
      month = static_cast<int>(i) + 1;
      return true;
    }
    return false;
  }
};

struct Date {
  int year = 0, month = 0, day = 1;
};

bool scan_year_first(Scanner& s, Date& d) {
  if (!s.digits(4, 9999, d.year)) return false;
  if (s.take('/')) return s.few_digits(12, d.month) && s.take('/') && s.few_digits(31, d.day);
  if (s.take('.')) return s.few_digits(12, d.month) && s.take('.') && s.few_digits(31, d.day);
  if (!s.take('-') || !s.digits(2, 12, d.month)) return false;
  return !s.take('-') || s.digits(2, 31, d.day);
}

// 2024, or 24 for a year from 1970 to 2069
bool scan_year(Scanner& s, int& year) {
  const std::size_t count = s.count_digits();
  if (count != 2 && count != 4) return false;
  if (!s.digits(count, 9999, year)) return false;
  if (count == 2) year += year < 70 ? 2000 : 1900;
  return true;
}

// two numbers and a year; the separator, or 0 if the text is another date
char scan_two_numbers(Scanner& s, int& first, int& second, int& year) {
  if (!s.few_digits(31, first) || s.rest.empty()) return 0;
  const char separator = s.rest[0];
  if (separator != '/' && separator != '.' && separator != '-') return 0;
  return s.take(separator) && s.few_digits(31, second) && s.take(separator) && scan_year(s, year) ? separator : 0;
}

bool scan_numbered(Scanner& s, DateOrder order, Date& d) {
  int first = 0, second = 0;
  const char separator = scan_two_numbers(s, first, second, d.year);
  if (separator == 0) return false;
  if (separator == '.') order = DateOrder::day_first;
  if (order == DateOrder::unknown && first > 12) order = DateOrder::day_first;
  if (order == DateOrder::unknown && second > 12) order = DateOrder::month_first;
  if (order == DateOrder::unknown) return false;
  d.day = order == DateOrder::day_first ? first : second;
  d.month = order == DateOrder::day_first ? second : first;
  return true;
}

// 1-May-2024, 1 May 2024, May 1, 2024
bool scan_named(Scanner& s, Date& d) {
  const auto separate = [&] { return s.take('-') || s.take(' ') || s.take('/'); };
  if (s.month_name(d.month)) {
    if (!separate() || !s.few_digits(31, d.day)) return false;
    s.take(',');
    return separate() && scan_year(s, d.year);
  }
  return s.few_digits(31, d.day) && separate() && s.month_name(d.month) && separate() && scan_year(s, d.year);
}

// days since 1970
bool scan_date(Scanner& s, DateOrder order, double& days) {
  const Scanner begin = s;
  Date d;
  bool found = scan_year_first(s, d);
  if (!found) found = (s = begin, d = {}, scan_numbered(s, order, d));
  if (!found) found = (s = begin, d = {}, scan_named(s, d));
  const auto date = std::chrono::year(d.year) / d.month / d.day;
  if (!found || !date.ok()) return false;
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return true;
}

bool scan_half(Scanner& s, int& hour) {
  const Scanner begin = s;
  s.skip_spaces();
  const bool is_morning = s.take_word("am") || s.take_word("a.m.");
  const bool is_evening = !is_morning && (s.take_word("pm") || s.take_word("p.m."));
  if (!is_morning && !is_evening) return s = begin, true;
  if (hour < 1 || hour > 12) return false;
  hour = hour % 12 + (is_evening ? 12 : 0);
  return true;
}

bool scan_clock(Scanner& s, double& seconds) {
  int hour = 0, minute = 0, second = 0;
  double fraction = 0;
  if (!s.few_digits(24, hour) || s.rest.empty()) return false;
  const char separator = s.rest[0] == '.' ? '.' : ':';  // some loggers write 18.00.00
  if (!s.take(separator) || !s.digits(2, 59, minute)) return false;
  if (s.take(separator)) {
    if (!s.digits(2, 60, second)) return false;  // 60 in a leap second
    if ((s.take('.') || s.take(',')) && !s.fraction(fraction)) return false;
  } else if (separator == '.') {
    return false;  // 13.30 is a number
  }
  if (!scan_half(s, hour)) return false;
  seconds = hour * 3600 + minute * 60 + second + fraction;
  return seconds <= 86400;  // 24:00 is the end of the day
}

// Z, UTC, +02, +0200 or +02:00, in seconds east; without a zone it is UTC
bool scan_zone(Scanner& s, double& east) {
  s.skip_spaces();
  if (s.rest.empty() || s.take_word("utc") || s.take_word("gmt") || s.take_word("z")) return s.rest.empty();
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

std::optional<double> parse_time(std::string_view text, DateOrder order) {
  Scanner s{text};
  double days = 0, seconds = 0, east = 0;
  if (text.empty() || !(is_digit(text[0]) || is_letter(text[0])) || !scan_date(s, order, days)) return {};
  if (s.rest.empty()) return days * 86400;
  s.take(',');
  if (!s.take('T') && !s.take('t') && !s.take(' ')) return {};
  if (!scan_clock(s, seconds) || !scan_zone(s, east)) return {};
  return days * 86400 + seconds - east;
}

std::optional<double> parse_clock(std::string_view text) {
  Scanner s{text};
  double seconds = 0;
  if (!scan_clock(s, seconds) || !s.rest.empty()) return {};
  return seconds;
}

DateOrder order_shown_by(std::string_view text) {
  Scanner s{text};
  int first = 0, second = 0, year = 0;
  const char separator = scan_two_numbers(s, first, second, year);
  if (separator == 0) return DateOrder::unknown;
  if (separator == '.' || first > 12) return DateOrder::day_first;
  return second > 12 ? DateOrder::month_first : DateOrder::unknown;
}

double epoch_unit(double count) {
  const double size = std::fabs(count);
  return size >= 1e17 ? 1e-9 : size >= 1e14 ? 1e-6 : size >= 1e11 ? 1e-3 : 1;
}

}  // namespace elastane
