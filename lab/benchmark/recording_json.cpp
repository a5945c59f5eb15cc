#include "lab/benchmark/recording_json.h"

#include <array>
#include <charconv>
#include <cmath>

namespace elastane::benchmark {

OrderedJson number(double value, double unit) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = std::round(value / unit);
  return std::abs(rounded) < 1e15 ? OrderedJson(rounded / std::round(1 / unit)) : OrderedJson(value);
}

OrderedJson numbers(const std::vector<double>& values, double unit) {
  return column(values, [&](double v) { return number(v, unit); });
}

// by way of text, so that they stay four digits
OrderedJson significant(double value) {
  if (!std::isfinite(value)) return nullptr;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4).ptr;
  double rounded = 0;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

std::string page_text(const OrderedJson& json) {
  std::string text = json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace), safe;
  for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

}  // namespace elastane::benchmark
