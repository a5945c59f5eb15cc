#include "elastane/forecast/season.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace elastane {
namespace {

constexpr double kDay = 86400;
constexpr std::size_t kLongest = 2000;  // longest season in rows that is looked for in the values
constexpr double kClear = 0.3;          // least autocorrelation of a season
constexpr double kVisible = 0.15;       // and of a candidate
constexpr std::size_t kMostRows = 1 << 14;
constexpr int kPeriods = 400;        // that the spectrum is computed for
constexpr double kShortest = 2.5;    // rows
constexpr double kAboveOthers = 12;  // times the median of the spectrum, where a season shows
constexpr std::size_t kCandidates = 3;

// the season that the calendar suggests for rows `step` seconds apart
double calendar_season(double step) {
  if (step <= kDay / 4) return kDay / step;
  if (step < 1.5 * kDay) return 7 * kDay / std::fmax(step, kDay);
  if (step < 14 * kDay) return 365.25 / 7;
  return step < 60 * kDay ? 12 : 4;
}

// Differences of the first target, 0 where one is missing; a trend is not a season. Of many rows, the last are enough.
std::vector<double> differences(const Series& s, std::size_t rows) {
  std::vector<double> d;
  for (std::size_t r = rows > kMostRows ? rows - kMostRows : 1; r < rows; ++r) {
    const double step = s.row(r)[0] - s.row(r - 1)[0];
    d.push_back(std::isfinite(step) ? step : 0.0);
  }
  return d;
}

double correlation(const std::vector<double>& d, std::size_t lag) {
  double product = 0, square = 1e-300;
  for (std::size_t i = 0; i < d.size(); ++i) square += d[i] * d[i];
  for (std::size_t i = lag; i < d.size(); ++i) product += d[i] * d[i - lag];
  return product / square * static_cast<double>(d.size()) / static_cast<double>(d.size() - lag);
}

// autocorrelations of differences, by lag; empty if there are too few rows
std::vector<double> autocorrelations(const Series& s, std::size_t rows) {
  const std::vector<double> d = differences(s, rows);
  const std::size_t longest = std::min(kLongest, d.size() / 4);
  if (longest < 4) return {};
  std::vector<double> r(longest + 2);
  for (std::size_t lag = 1; lag < r.size(); ++lag) r[lag] = correlation(d, lag);
  return r;
}

bool is_peak(const std::vector<double>& r, std::size_t lag) { return r[lag] >= r[lag - 1] && r[lag] >= r[lag + 1]; }

bool is_close(double a, double b) { return std::fabs(a - b) <= std::fmax(1.0, 0.05 * b); }

// Periods at which the spectrum has peaks far above its median, the highest first. The spectrum is the cosine transform of
// the autocorrelations under a window (Blackman and Tukey 1958), on a grid of periods with equal ratios.
std::vector<double> spectral_peaks(const std::vector<double>& r) {
  if (r.size() < 16) return {};
  const auto lags = static_cast<double>(r.size() - 1);
  std::vector<double> periods, power;
  for (int i = 0; i < kPeriods; ++i) {
    const double period = kShortest * std::pow(lags / 3 / kShortest, i / (kPeriods - 1.0));
    double sum = 1;
    for (std::size_t k = 1; k < r.size(); ++k) {
      const double window = 0.5 * (1 + std::cos(std::numbers::pi * static_cast<double>(k) / lags));
      sum += 2 * window * r[k] * std::cos(2 * std::numbers::pi * static_cast<double>(k) / period);
    }
    periods.push_back(period);
    power.push_back(sum);
  }
  std::vector<double> sorted = power;
  std::ranges::nth_element(sorted, sorted.begin() + kPeriods / 2);
  const double usual = std::fmax(sorted[kPeriods / 2], 0.05);
  std::vector<std::pair<double, double>> peaks;
  for (std::size_t i = 1; i + 1 < power.size(); ++i) {
    if (power[i] >= power[i - 1] && power[i] >= power[i + 1] && power[i] > kAboveOthers * usual)
      peaks.emplace_back(-power[i], periods[i]);
  }
  std::ranges::sort(peaks);
  std::vector<double> found;
  for (const auto& [height, period] : peaks) found.push_back(period);
  return found;
}

}  // namespace

double find_season(const Dataset& data, const DataSplit& split) {
  const Series& s = *std::ranges::max_element(data.series, {}, &Series::rows);
  const std::size_t rows = split_ends(split, s.rows()).learn;
  if (data.grid.step > 0) {
    const double season = calendar_season(data.grid.step);
    if (season * 3 <= static_cast<double>(rows)) return season;
  }
  const std::vector<double> r = autocorrelations(s, rows);
  if (r.empty()) return 0;
  const std::size_t longest = r.size() - 2;
  // the shortest peak that is nearly as high as the highest: multiples of a season are as high as the season
  double highest = 0;
  for (std::size_t lag = 3; lag <= longest; ++lag) highest = std::max(highest, r[lag]);
  for (std::size_t lag = 3; lag <= longest; ++lag) {
    if (is_peak(r, lag) && r[lag] > kClear && r[lag] > 0.8 * highest) return static_cast<double>(lag);
  }
  return 0;
}

std::vector<double> season_candidates(const Dataset& data, const DataSplit& split, double known) {
  const Series& s = *std::ranges::max_element(data.series, {}, &Series::rows);
  const std::vector<double> r = autocorrelations(s, split_ends(split, s.rows()).learn);
  std::vector<std::size_t> peaks;
  for (std::size_t lag = 3; lag + 1 < r.size(); ++lag) {
    if (is_peak(r, lag) && r[lag] > kVisible) peaks.push_back(lag);
  }
  std::ranges::stable_sort(peaks, [&](std::size_t a, std::size_t b) { return r[a] > r[b]; });
  std::vector<double> found;
  for (const std::size_t lag : peaks) {
    const auto rows = static_cast<double>(lag);
    // a multiple of a season is as high as the season
    const auto repeats = [&](double of) {
      return of > 0 && is_close(rows, std::fmax(1.0, std::round(rows / of)) * of);
    };
    if (repeats(known) || std::ranges::any_of(found, repeats)) continue;
    found.push_back(rows);
    if (found.size() == kCandidates - 1) break;
  }
  // the spectrum shows seasons that are not a whole number of rows, and those hidden under a stronger one
  for (const double period : spectral_peaks(r)) {
    const auto is_harmonic = [&](double of) {
      if (of <= 0) return false;
      const double times = std::fmax(1.0, std::round(of / period)), over = std::fmax(1.0, std::round(period / of));
      return std::fabs(of / times - period) < 0.04 * period || std::fabs(of * over - period) < 0.04 * period;
    };
    if (found.size() == kCandidates) break;
    if (!is_harmonic(known) && std::ranges::none_of(found, is_harmonic)) found.push_back(std::round(10 * period) / 10);
  }
  return found;
}

}  // namespace elastane
