#include "elastane/io/number_text.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace elastane {
namespace {

// exponents for which digits are written out; beyond them numbers have an exponent
constexpr int kLeastExponent = -4, kMostExponent = 16;

// digits "12345" and their exponent 2: 123.45
void append_digits(std::string_view digits, int exponent, std::string& text) {
  if (exponent < 0) {
    text += "0.";
    text.append(static_cast<std::size_t>(-exponent - 1), '0');
    text += digits;
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) {
    text += digits;
    text.append(whole - digits.size(), '0');
    return;
  }
  text += digits.substr(0, whole);
  text += '.';
  text += digits.substr(whole);
}

}  // namespace

void append_number(double value, std::string& text) {
  std::array<char, 32> shortest{};
  const auto end = std::to_chars(shortest.begin(), shortest.end(), value, std::chars_format::scientific).ptr;
  const std::string_view scientific(shortest.data(), static_cast<std::size_t>(end - shortest.data()));
  const std::size_t e = scientific.find('e');
  int exponent = 0;
  if (std::isfinite(value)) {
    const std::size_t sign = scientific[e + 1] == '+' ? 1 : 0;
    std::from_chars(scientific.data() + e + 1 + sign, scientific.data() + scientific.size(), exponent);
  }
  if (!std::isfinite(value) || exponent < kLeastExponent || exponent >= kMostExponent) {
    text += scientific;
    return;
  }
  if (scientific.front() == '-') text += '-';
  std::array<char, 32> digits{};
  std::size_t count = 0;
  for (const char c : scientific.substr(0, e)) {
    if (c >= '0' && c <= '9') digits[count++] = c;
  }
  append_digits({digits.data(), count}, exponent, text);
}

std::string number_text(double value) {
  std::string text;
  append_number(value, text);
  return text;
}

void append_fixed(double value, int digits, std::string& text) {
  std::array<char, 400> fixed{};
  const auto end = std::to_chars(fixed.begin(), fixed.end(), value, std::chars_format::fixed, digits).ptr;
  text.append(fixed.data(), static_cast<std::size_t>(end - fixed.data()));
}

std::string date_text(double seconds) {
  const double whole = std::floor(seconds);
  constexpr double kYear0 = -62'167'219'200, kYear10000 = 253'402'300'800;  // years of four digits
  if (!(whole >= kYear0 && whole < kYear10000)) return number_text(seconds);
  const std::chrono::sys_seconds at{std::chrono::seconds(static_cast<std::int64_t>(whole))};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  std::string result = text.data();
  const auto micros = static_cast<int>((seconds - whole) * 1e6);
  if (micros > 0) {
    std::snprintf(text.data(), text.size(), ".%06d", micros);
    result += text.data();
  }
  return result + 'Z';
}

}  // namespace elastane
