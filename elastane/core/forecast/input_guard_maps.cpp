// Real-time code only.
// Which map held values agree on: a level, a ratio, a unit, or the scale that a season shows.
#include <algorithm>

#include "elastane/core/forecast/input_guard.h"

namespace elastane {
namespace {

constexpr int kMostHeld = 512;
constexpr double kFar = 200;  // deviations; a level beyond needs kManyRows, and no window is matched
constexpr double kSomeRows = 12;
constexpr int kSteadyRows = 4;                       // that follow each other as usual, whatever their forecasts
constexpr double kSteadySteps = 2, kNoSteps = 0.01;  // deviations of a step, and share of the usual square
constexpr int kFewRows = 4;                          // that must agree on a level where others did not
constexpr double kFits = 1.5;                     // of q², the mean square that values divided by a ratio may be off
constexpr double kMostNats = 6;                   // of one row for or against a change of scale
constexpr double kGain = 4;                       // evidence for it
constexpr double kFirstRows = 1.5;                // information in the rows that showed a new level
constexpr double kTiny = 0.1, kTinySigned = 0.3;  // of the 1 % quantile of sizes, below which a unit may have changed
constexpr double kNever = 0.2;                    // of the least size, below which it has
constexpr double kMuchLess = 20;                  // times as large a season ago
constexpr double kSameDigits = 0.35;              // deviation of the digits by which values are smaller
constexpr double kVotes = 4;                      // for it
constexpr double kPatience = 1024;                // rows after which values that far are believed

// the middle of up to kMostHeld values
double median(const double* values, int count) {
  double sorted[kMostHeld];
  std::copy_n(values, count, sorted);
  std::nth_element(sorted, sorted + count / 2, sorted + count);
  return sorted[count / 2];
}

double median_distance(const double* values, int count, double from) {
  double away[kMostHeld];
  for (int i = 0; i < count; ++i) away[i] = std::fabs(values[i] - from);
  return median(away, count);
}

double power_of_ten(double ratio) { return std::pow(10.0, std::round(std::log10(ratio))); }  // the nearest

// the map after all values were multiplied by `ratio`
UnitMap scaled(const UnitMap& map, double ratio, double zero) {
  const double slope = map.slope / ratio;
  return {slope, map.to(zero) - slope * zero};
}

}  // namespace

// all held values are one jump away from their forecasts: B ← B − Δ
bool InputGuard::find_level(const TargetGuard& g, const double* u, const double* p, int count, UnitMap& map) const {
  double away[kMostHeld];
  for (int j = 0; j < count; ++j) away[j] = g.map.to(u[j]) - p[j];
  const double jump = count == 2 ? (away[0] + away[1]) / 2 : median(away, count);
  if (std::fabs(jump) > kFar && g.held < kManyRows) return false;
  // two values must agree closely: a shock that fades looks like a jump at first
  const double q = g.limit(), size = std::fabs(jump), widest = 0.95 * kappa(g, true) * q;
  const double room = std::fmin(widest, count == 2 ? 0.03 * size + 0.6 * q : 0.1 * size + q);
  if (!std::all_of(away, away + count, [&](double d) { return std::fabs(d - jump) <= room; })) return false;
  map = {g.map.slope, g.map.shift - jump};
  return true;
}

// Held values follow each other as values usually do: it is the forecasts, built on forecasts, that run away. The last one
// continues where its forecast is.
bool InputGuard::find_steady_level(const TargetGuard& g, const double* held, UnitMap& map) const {
  const int n = static_cast<int>(g.held);
  const int count = std::max(kSteadyRows, n / 2);
  if (n < count || g.unrest > 0) return false;
  const double most = kSteadySteps * std::sqrt(g.step) + g.limit();
  double squares = 0;
  for (int j = n - count + 1; j < n; ++j) {
    const double step = g.map.slope * (held[j] - held[j - 1]);
    if (std::fabs(step) > most) return false;
    squares += step * step / (count - 1);
  }
  if (squares < kNoSteps * g.step) return false;  // stuck, or in a larger unit
  const double jump = g.map.to(held[n - 1]) - held[window_ + n - 1];
  map = {g.map.slope, g.map.shift - jump};
  return std::fabs(jump) < kFar;
}

// all held values are a multiple of their forecasts, about the zero of the data: A ← A/g
bool InputGuard::find_ratio(const Context& c, const TargetGuard& g, const double* held, int count, UnitMap& map) const {
  const int n = static_cast<int>(g.held);
  const double *u = held + (n - count), *p = held + window_ + (n - count);
  const double origin = g.map.to(c.zero);
  if (g.lowest_zero < 0 && g.highest_zero > 0) return false;  // anything divided by enough fits a forecast near zero
  const double sign = g.lowest_zero < 0 ? -1 : 1;
  if (!std::all_of(held, held + n, [&](double each) { return sign * (each - c.zero) >= 0; })) return false;
  double ratios[kMostHeld];
  int known = 0;
  for (int j = 0; j < count; ++j) {
    const double forecast = p[j] - origin;
    if (std::fabs(forecast) > g.limit()) ratios[known++] = (g.map.to(u[j]) - origin) / forecast;
  }
  if (known < 2) return false;
  const double middle = median(ratios, known);
  if (!(middle > 1e-9 && middle < 1e9) || (middle > 0.4 && middle < 2.5)) return false;
  const auto fits = [&](double ratio) {
    double squares = 0;
    for (int j = 0; j < count; ++j) {
      const double off = origin + (g.map.to(u[j]) - origin) / ratio - p[j];
      squares += off * off / count;
    }
    return squares < kFits * g.limit() * g.limit();
  };
  // another unit is more likely than any other ratio, which needs more rows
  const double decimal = power_of_ten(middle);
  // beyond a thousand it is rare, and two wild values of the same sign look like it; a tenth of any two explains them
  const double digits = std::fabs(std::log10(decimal));
  const bool is_usual = (digits > 1.5 && digits < 3.5) || g.held >= kManyRows;
  const bool is_decimal = decimal != 1 && is_usual && fits(decimal);
  if (!is_decimal && (g.held < kManyRows || !fits(middle))) return false;
  map = scaled(g.map, is_decimal ? decimal : middle, c.zero);
  return true;
}

// a value that is not zero, but much nearer to it than any before, and than that of a season ago, such as an hour at dusk
bool InputGuard::is_tiny(double u, const Context& c, const TargetGuard& g) const {
  const double size = g.map.slope * std::fabs(u - c.zero);
  const double ago = std::fabs(c.season_ago - g.map.to(c.zero)), nothing = kRounding * std::exp(g.log_size);
  if (ago > nothing && ago < kMuchLess * size) return false;
  if (ago <= nothing && size >= kNever * g.least_size) return false;  // zero a season ago
  const double share = g.lowest_zero < 0 && g.highest_zero > 0 ? kTinySigned : kTiny;
  return size > nothing && g.sizes > 100 && size < share * std::exp(g.log_small);
}

// Such values vote for a larger unit: the power of ten that makes them what they were a season ago, or what is usual.
bool InputGuard::find_larger_unit(double u, const Context& c, TargetGuard& g, UnitMap& map) const {
  const double size = g.map.slope * std::fabs(u - c.zero), ago = std::fabs(c.season_ago - g.map.to(c.zero));
  const double usual = ago > kRounding * std::exp(g.log_size) ? std::log(ago) : g.log_size;  // NaN: what is usual
  g.tiny += size < kNever * g.least_size ? 2 : 1;
  g.tiny_rows += 1;
  g.tiny_logs += std::log(size) - usual;
  // without a season to compare with, values that cross zero may be tiny for some rows
  const bool may_cross = std::isnan(ago) && g.lowest_zero < 0 && g.highest_zero > 0;
  if (g.tiny < (may_cross ? 3 : 1) * kVotes) return false;
  const double found = g.tiny_logs / g.tiny_rows / std::log(10.0), digits = std::round(found);
  map = scaled(g.map, std::pow(10.0, digits), c.zero);
  // a tenth could be a quiet hour as well
  return digits > -10 && (digits <= -2 || (digits == -1 && std::fabs(found + 1) < 0.1));
}

// Several values in a row are smaller than those of a season ago by about the same power of ten, and rise and fall with them.
// Some hours may always be near zero, such as dusk, so that single values are not tiny.
bool InputGuard::find_unit_by_season(double u, const Context& c, TargetGuard& g, UnitMap& map) const {
  const double size = g.map.slope * std::fabs(u - c.zero), ago = std::fabs(c.season_ago - g.map.to(c.zero));
  const double nothing = kRounding * std::exp(g.log_size);
  if (std::isnan(ago) || (size <= nothing && ago <= nothing)) return false;  // zero as before says nothing
  if (size <= nothing || ago < kMuchLess * size) {
    forget_less(g);
    return false;
  }
  const double log_ratio = std::log10(size / ago), log_ago = std::log10(ago);
  g.less += 1;
  g.less_logs += log_ratio;
  g.less_squares += log_ratio * log_ratio;
  g.ago_logs += log_ago;
  g.ago_squares += log_ago * log_ago;
  if (g.less < std::fmax(kManyRows, window_ / 6.0)) return false;
  const double mean = g.less_logs / g.less, digits = std::round(mean), mean_ago = g.ago_logs / g.less;
  const double variance = g.less_squares / g.less - mean * mean, usual = g.ago_squares / g.less - mean_ago * mean_ago;
  map = scaled(g.map, std::pow(10.0, digits), c.zero);
  return digits <= -2 && digits > -10 && variance < std::fmin(kSameDigits * kSameDigits, usual / 2);
}

// the held values are as far from zero as usual, and move by as much, if they are divided by a power of ten
bool InputGuard::find_decimal_unit(const Context& c, const TargetGuard& g, const double* u, UnitMap& map) const {
  const int n = static_cast<int>(g.held);
  if (n < kSomeRows || g.lowest_zero >= 0 || g.highest_zero <= 0) return false;
  const double origin = g.map.to(c.zero), away = c.level - origin;
  double squares = 0, steps = 0;
  for (int j = 0; j < n; ++j) {
    const double x = g.map.to(u[j]) - origin, step = j == 0 ? 0 : g.map.slope * (u[j] - u[j - 1]);
    squares += x * x / n;
    steps += step * step / (n - 1);
  }
  const double digits = std::round(0.5 * std::log10(squares / (c.spread + away * away + 1e-12)));
  if (digits == 0 || !(std::fabs(digits) <= 3)) return false;
  const double ratio = std::pow(10.0, digits), moves = steps / (ratio * ratio) / (g.step + 1e-12);
  if (!(moves > 0.1 && moves < 4)) return false;
  map = scaled(g.map, ratio, c.zero);
  return std::fabs(map.to(u[n - 1]) - c.last) < 4 * std::sqrt(c.spread + 1);
}

// of the maps that explain the latest held values, the one under which they are most likely
bool InputGuard::confirm(const Context& c, TargetGuard& g, const double* held) const {
  // values that contradict each other, or a level as soon as it is confirmed, are more likely a burst than a level
  const int least = g.unrest > 0 ? static_cast<int>(kManyRows) : g.agreeing == g.held ? 2 : kFewRows;
  const int n = static_cast<int>(g.held), count = std::max(least, n / 2);
  if (n < count) return false;
  const double *u = held + (n - count), *p = held + window_ + (n - count);
  UnitMap level, ratio;
  const bool has_ratio = find_ratio(c, g, held, count, ratio);
  const bool has_level = find_level(g, u, p, count, level) || (!has_ratio && find_steady_level(g, held, level));
  if (has_level || has_ratio) {
    double gain = has_ratio ? 0 : -1;  // of the ratio over the level, in nats
    for (int j = 0; has_level && has_ratio && j < count; ++j) {
      gain += ratio.log_density(u[j], p[j], g.limit()) - level.log_density(u[j], p[j], g.limit());
    }
    const bool is_ratio = gain >= 0;
    const UnitMap last = g.map;
    move(g, is_ratio ? ratio : level, is_ratio ? 0 : g.map.shift - level.shift);
    g.information = is_ratio ? 0 : kFirstRows;
    if (!is_ratio) suggest_gain(c, last, {u, static_cast<std::size_t>(count)}, p, g);
    return true;
  }
  if (!find_decimal_unit(c, g, held, ratio)) return false;
  move(g, ratio, 0);
  return true;
}

// the gain about zero that explains the first values of a new level, if it is one that could be
void InputGuard::suggest_gain(const Context& c, const UnitMap& last, std::span<const double> u, const double* p,
                              TargetGuard& g) const {
  const double origin = last.to(c.zero);
  double values = 0, forecasts = 0;
  for (std::size_t j = 0; j < u.size(); ++j) {
    values += last.to(u[j]) - origin;
    forecasts += p[j] - origin;
  }
  const double ratio = values / forecasts;
  const bool changes_sign = g.lowest_zero < 0 && g.highest_zero > 0;
  if (changes_sign || !(ratio > 0.1 && ratio < 10)) return;
  g.gain = scaled(last, ratio, c.zero);
  g.pairs = 0;
}

// No verdict within the window: the map gives the held values the middle and the spread of their forecasts. What is far
// away and has no pattern is not worth learning from; it is held on.
bool InputGuard::match_window(TargetGuard& g, double* held) const {
  double *u = held, *p = held + window_;
  const double u_middle = median(u, window_), p_middle = median(p, window_);
  const double u_spread = median_distance(u, window_, u_middle), p_spread = median_distance(p, window_, p_middle);
  const bool is_far = g.map.slope * u_spread + std::fabs(g.map.to(u_middle) - p_middle) > kFar;
  if (is_far && g.waited < kPatience) {
    const int kept = window_ / 2;
    std::copy_n(u + (window_ - kept), kept, u);
    std::copy_n(p + (window_ - kept), kept, p);
    g.held = kept;
    return false;
  }
  const double slope = u_spread > 0 && p_spread > 0 ? p_spread / u_spread : g.map.slope;
  move(g, {slope, p_middle - slope * u_middle}, 0);
  return true;
}

bool InputGuard::compare_season(double u, double season_ago, TargetGuard& g) const {
  const double now = g.map.to(u) - season_ago;
  if (g.pairs < 0) {
    const double square = std::fmin(now * now, 16 * g.season_step + 1e-6);
    g.season_step += std::fmax(2e-3, 1 / (g.seen + 1)) * (square - g.season_step);
    return false;
  }
  // behind the right map nothing has changed, so that steps are as large as before; the densities are those of u
  const double then = g.gain.to(u) - season_ago, usual = 2 * g.season_step + 1e-9;
  g.for_gain += std::fmin(now * now / usual, kMostNats) - std::fmin(then * then / usual, kMostNats) +
                std::log(g.gain.slope / g.map.slope);
  g.pairs += 1;
  const bool is_gain = g.pairs >= window_ / 4.0 && g.for_gain > kGain;
  if (is_gain) {
    const UnitMap before = g.before;  // the level in between was a guess
    move(g, UnitMap(g.gain), 0);
    g.before = before;
    g.information = kFirstRows;
  }
  if (g.pairs > kLasting * window_) g.pairs = -1;
  return is_gain;
}

}  // namespace elastane
