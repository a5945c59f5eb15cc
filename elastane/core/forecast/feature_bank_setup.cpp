// The part of the feature bank that allocates: sizes, poles, gains.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "elastane/core/forecast/feature_bank.h"

namespace elastane {
namespace {

constexpr double kFastScale = 4, kSlowScale = 32;
constexpr int kBumpCount = 7;
constexpr int kCalendarHarmonics = 4;

// the number of harmonics that a season of this many rows can have
int harmonics_of(double period, int most) {
  return std::max(1, std::min(most, static_cast<int>(std::floor((period - 1) / 2))));
}

// the current value, and all back to the longest lag
int values_back_to(const std::vector<int>& lags) { return lags.empty() ? 0 : 1 + *std::ranges::max_element(lags); }

int nearest(const std::vector<double>& scales, double wanted) {
  const auto closer = [&](double a, double b) {
    return std::fabs(std::log(a / wanted)) < std::fabs(std::log(b / wanted));
  };
  return static_cast<int>(std::min_element(scales.begin(), scales.end(), closer) - scales.begin());
}

Error refuse(const char* key, const char* expected, double found) {
  return {"[forecast] " + std::string(key) + ": expected " + expected + ", found " + std::to_string(found)};
}

}  // namespace

Status validate(const ForecastConfig& c) {
  if (c.targets < 1 || c.targets > 1 << 16) return refuse("targets", "1 to 65536", c.targets);
  if (c.channels < c.targets || c.channels > 1 << 16) return refuse("channels", "at least the targets", c.channels);
  if (c.horizon < 1 || c.horizon > 10'000) return refuse("horizon", "1 to 10000", c.horizon);
  if (c.scales.empty() || c.scales.size() > 64)
    return refuse("scales", "1 to 64 of them", static_cast<double>(c.scales.size()));
  for (const double s : c.scales) {
    if (!(s >= 1 && s <= 1e9)) return refuse("scales", "1 to 1e9 rows", s);
  }
  if (c.periods.size() > 8) return refuse("periods", "at most 8", static_cast<double>(c.periods.size()));
  for (const double p : c.periods) {
    if (!(p >= 2 && p <= 1e9)) return refuse("periods", "2 to 1e9 rows", p);
  }
  if (c.calendar.size() > 8) return refuse("calendar", "at most 8", static_cast<double>(c.calendar.size()));
  for (const double p : c.calendar) {
    if (!(p >= 2 && p <= 1e9)) return refuse("calendar", "2 to 1e9 rows", p);
  }
  if (c.known < 0 || c.known > c.channels - c.targets)
    return refuse("known", "at most the channels that are not forecast", c.known);
  if (c.seasons.size() > 8) return refuse("seasons", "at most 8", static_cast<double>(c.seasons.size()));
  for (const double s : c.seasons) {
    if (!(s > 0 && s <= 1e6)) return refuse("seasons", "above 0", s);
  }
  if (c.harmonics < 1 || c.harmonics > 64) return refuse("harmonics", "1 to 64", c.harmonics);
  if (c.clock_harmonics < 1 || c.clock_harmonics > 64) return refuse("clock_harmonics", "1 to 64", c.clock_harmonics);
  for (const auto& [key, lags] : {std::pair{"lags", &c.lags}, std::pair{"clockless_lags", &c.clockless.lags}}) {
    if (lags->size() > 128) return refuse(key, "at most 128", static_cast<double>(lags->size()));
    for (const int lag : *lags) {
      if (lag < 1 || lag > 4096) return refuse(key, "1 to 4096 rows", lag);
    }
  }
  if (!(c.memory >= 1 && c.memory <= 1e12)) return refuse("memory", "1 to 1e12 rows", c.memory);
  if (c.neighbours < 0 || c.neighbours > c.channels) return refuse("neighbours", "at most the channels", c.neighbours);
  if (c.forgetting.empty() || c.forgetting.size() > 4)
    return refuse("forgetting", "1 to 4 of them", static_cast<double>(c.forgetting.size()));
  for (const double f : c.forgetting) {
    if (!(f > 0.5 && f <= 1)) return refuse("forgetting", "above 0.5, at most 1", f);
  }
  if (!(c.clockless.forgetting > 0.5 && c.clockless.forgetting <= 1))
    return refuse("clockless_forgetting", "above 0.5, at most 1", c.clockless.forgetting);
  for (const double g : {c.guard.outside, c.guard.inside, c.guard.after}) {
    if (!(g >= 0 && g <= 1e12)) return refuse("guard", "0 or above", g);
  }
  const std::pair<const char*, double> positive[] = {{"prior", c.prior},
                                                     {"clockless_prior", c.clockless.prior},
                                                     {"gradient_rate", c.gradient_rate},
                                                     {"damping", c.damping},
                                                     {"inflation", c.inflation}};
  for (const auto& [key, value] : positive) {
    if (!(value > 0 && value <= 1e12)) return refuse(key, "above 0", value);
  }
  return {};
}

FeatureShape::FeatureShape(const ForecastConfig& c)
    : scales(static_cast<int>(c.scales.size())),
      periods(static_cast<int>(c.periods.size())),
      seasons(static_cast<int>(c.seasons.size())),
      harmonics(c.harmonics),
      clock(c.clock_harmonics),
      neighbours(c.neighbours),
      lags(static_cast<int>(c.lags.size())),
      known(c.known),
      calendar(0),
      clockless(c.clockless.lags.empty() ? 0 : 1 + static_cast<int>(c.clockless.lags.size())),
      past(std::max(values_back_to(c.lags), values_back_to(c.clockless.lags))) {
  // the main season decides; a longer one has room for at least as many
  if (periods > 0) {
    harmonics = harmonics_of(c.periods.front(), harmonics);
    clock = harmonics_of(c.periods.front(), clock);
  }
  for (const double period : c.calendar) calendar += harmonics_of(period, kCalendarHarmonics);
  poles = periods * seasons * harmonics;
  features = 1 + scales + 2 * poles + periods * (2 * clock + 6 * std::min(2, clock)) + 2 * calendar + kBumpCount +
             lags + 2 * neighbours + known;
  stride = double_stride(features);
}

FeatureBank::FeatureBank(const ForecastConfig& config)
    : targets_(config.targets),
      channels_(config.channels),
      shape_(config),
      lags_(config.lags),
      clockless_lags_(config.clockless.lags),
      memory_gain_(-std::expm1(-1 / config.memory)) {
  for (const double scale : config.scales) gains_.push_back(-std::expm1(-1 / scale));
  for (const double period : config.periods) {
    for (const double season : config.seasons) {
      const double rows = season * period;
      for (int k = 1; k <= shape_.harmonics; ++k) {
        const std::complex<double> a = std::exp(std::complex(-1 / rows, 2 * std::numbers::pi * k / period));
        poles_.push_back({a.real(), a.imag(), -std::expm1(-1 / rows)});
      }
    }
  }
  for (const double period : config.periods) turns_.push_back({period, shape_.clock});
  for (const double period : config.calendar) turns_.push_back({period, harmonics_of(period, kCalendarHarmonics)});
  clock_.resize(static_cast<std::size_t>(2 * (shape_.periods * shape_.clock + shape_.calendar)));
  fast_ = nearest(config.scales, kFastScale);
  slow_ = nearest(config.scales, kSlowScale);
}

}  // namespace elastane
