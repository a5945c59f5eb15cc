#include "lab/series/sample.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "elastane/core/base/random.h"

namespace elastane::series {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// load by the hour of the day, with a morning and an evening peak
double habit(double hour) { return std::sin(kTurn * (hour - 8) / 24) + 0.6 * std::sin(2 * kTurn * (hour - 7) / 24); }

std::string date_of(int hours) {
  using namespace std::chrono;
  const sys_days day = sys_days(year(2024) / January / 1) + days(hours / 24);
  const year_month_day date(day);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:00:00", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), hours % 24);
  return text.data();
}

}  // namespace

std::string sample_table(const SampleOptions& options) {
  Random random(options.seed);
  std::string table = "time,load,temperature\n";
  double front = 0, mood = 0;  // slow weather; other influences on the load
  for (int t = 0; t < options.rows; ++t) {
    const bool changed = t >= options.change;
    front = 0.99 * front + 0.5 * random.normal();
    mood = 0.7 * mood + 0.35 * random.normal();
    const double temperature =
        8 + 10 * std::sin(kTurn * (t / 24.0 - 100) / 365) + 4 * std::sin(kTurn * (t % 24 - 9) / 24.0) + front;
    const bool weekend = t / 24 % 7 >= 5;
    const double cold = std::fmax(0.0, 16 - temperature);
    const double load =
        40 + (weekend ? 4 : 8) * habit(t % 24 - (changed ? 2 : 0)) + (changed ? 0.9 : 0.5) * cold + mood;
    std::array<char, 64> line{};
    std::snprintf(line.data(), line.size(), ",%.2f,%.1f\n", load, temperature);
    table += date_of(t) + line.data();
  }
  return table;
}

}  // namespace elastane::series
