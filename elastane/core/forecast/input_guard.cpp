// Real-time code only.
#include "elastane/core/forecast/input_guard.h"

#include <algorithm>
#include <cstring>

namespace elastane {
namespace {

constexpr int kMostHeld = 512;
constexpr double kBack = 8;   // evidence, in nats, that an earlier map holds again
constexpr double kFar = 200;  // deviations; a level beyond needs kManyRows, and no window is matched
constexpr double kManyRows = 8, kSomeRows = 12;
constexpr int kSteadyRows = 4;                       // that follow each other as usual, whatever their forecasts
constexpr double kSteadySteps = 2, kNoSteps = 0.01;  // deviations of a step, and share of the usual square
constexpr int kFewRows = 4;                          // that must agree on a level where others did not
constexpr double kFits = 1.5;                     // of q², the mean square that values divided by a ratio may be off
constexpr double kMostNats = 6;                   // of one row for or against a change of scale
constexpr double kGain = 4;                       // evidence for it
constexpr double kAlarmed = 0.5;                  // information about a level of which only an alarm has spoken
constexpr double kTrialErrors = 1;                // of q, beyond which a jump may have begun
constexpr double kTrialNats = 5, kTrialLost = 3;  // evidence for it, and against it
constexpr double kFirstRows = 1.5,
                 kEnough = 100;  // information in the rows that showed a new level, and when it is settled
constexpr double kSettled = 10;  // seasons after which it is, anyway
constexpr double kMostlyIdle = 0.6, kFarOut = 8;
constexpr double kOutOfRange = 2;                 // of the range, where an idle target returns at once
constexpr double kTiny = 0.1, kTinySigned = 0.3;  // of the 1 % quantile of sizes, below which a unit may have changed
constexpr double kNever = 0.2;                    // of the least size, below which it has
constexpr double kRounding = 1e-8;                // of the usual size: zero
constexpr double kMuchLess = 20;                  // times as large a season ago
constexpr double kVotes = 4;                      // for it
constexpr double kPeaks = 2;                      // κ over the largest error so far
constexpr double kMostKappa = 40, kMostLimit = 2.1;  // of κ, and of log q
constexpr double kCodeRows = 24;                     // rows for which a code for nothing is not believed
constexpr double kPatience = 1024;                   // rows after which values that far are believed
constexpr double kLasting = 3;                       // seasons after which a map counts as stable
constexpr double kStuckRun = 12;                     // fewest equal values that count as stuck
constexpr double kStuckTimes = 3;                    // over the longest usual run

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

// log density of u under a map: Student's t of three degrees, and the Jacobian of the map
double log_density(const UnitMap& map, double u, double forecast, double limit) {
  const double spread = limit / 2.6, away = (map.to(u) - forecast) / (2 * spread);  // q is 2.6 σ of a normal error
  return std::log(map.slope) - 2 * std::log1p(away * away);
}

}  // namespace

void InputGuard::follow(const Accepted& row, TargetGuard& g) const {
  const double step = row.x - row.last, before = row.last - g.step_before;
  g.idle += std::fmax(1e-3, 1 / (g.seen + 1)) * ((g.run > 0 ? 1 : 0) - g.idle);
  // did the step before lead away from the level, and is this value nearer to where it led?
  if (g.step_before != 0 && std::fabs(row.last - row.level) > std::fabs(before - row.level)) {
    g.stays += std::fmax(1e-2, 1 / (g.seen + 1)) * ((std::fabs(step) < std::fabs(row.x - before) ? 1 : 0) - g.stays);
  }
  g.step_before = step;
  g.step += g.step == 0 ? step * step : 0.01 * (std::fmin(step * step, 16 * g.step) - g.step);
  const double size = std::fabs(row.error), rate = std::fmax(0.1, std::fmin(1.0, 100 / (g.seen + 1)));
  if (g.seen < 20) {
    g.log_limit = std::log(std::fmax(size, g.seen == 0 ? 1e-6 : std::exp(g.log_limit)));
  } else {
    g.log_limit += rate * ((size > std::exp(g.log_limit) ? 1 : 0) - 0.01);  // log q ← log q + η(1[|e| > q] − 1 %)
    g.log_limit = std::fmin(g.log_limit, kMostLimit);
  }
  if (2 * g.seen > options_.after) g.peak = std::fmax(g.peak * (1 - 1e-4), size / g.limit());
  g.seen += 1;
}

// A Kalman filter of one number: e = (1 − ∂p/∂B)·(error of B) + noise. Large errors count no more than usual ones.
double InputGuard::refine_level(double error, TargetGuard& g) const {
  const double seen = 1 - g.follows, most = 0.8 * g.limit();
  g.information += seen * seen;
  const double by = -seen * std::clamp(error, -most, most) / g.information;
  g.map.shift += by;
  if (g.information > kEnough || g.in_force > kSettled * window_) g.information = 0;
  return by;
}

// The filter of refine_level, for a level that is not in force: e = (1 − ∂p/∂B)Δ + noise. Evidence is that of each row
// by what was known before it.
InputGuard::Trial InputGuard::follow_trial(double error, TargetGuard& g) const {
  const bool is_open = g.trial_information > 0;
  if (std::fabs(error) > kTrialErrors * g.limit() && (!is_open || std::fabs(error) > std::fabs(g.trial_first))) {
    g.trial = g.trial_first = error;
    g.trial_information = 1;
    g.trial_rows = g.trial_evidence = 0;
    return Trial::begun;
  }
  if (!is_open) return Trial::none;
  const double seen = 1 - g.follows, most = 0.8 * g.limit(), rest = error - seen * g.trial;
  const auto density = [&](double e) { return log_density({}, e, 0, g.limit()); };
  g.trial_evidence += density(rest) - density(error);
  g.trial_information += seen * seen;
  g.trial += seen * std::clamp(rest, -most, most) / g.trial_information;
  g.trial_rows += 1;
  if (g.trial_evidence > kTrialNats) return Trial::confirmed;
  if (g.trial_evidence < -kTrialLost || g.trial_rows > window_) g.trial_information = 0;
  return Trial::open;
}

double InputGuard::accept_trial(TargetGuard& g) const {
  const double by = -g.trial, information = g.trial_information;
  move(g, {g.map.slope, g.map.shift + by}, by);
  g.information = information;
  return by;
}

void InputGuard::learn_value(double u, double zero, TargetGuard& g) const {
  const double from_zero = u - zero, size = std::fabs(from_zero);
  g.lowest_zero = std::fmin(g.lowest_zero, from_zero);
  g.highest_zero = std::fmax(g.highest_zero, from_zero);
  if (size > 0) {
    const double logarithm = std::log(size), rate = std::fmax(0.1, std::fmin(1.0, 100 / (g.sizes + 1)));
    if (g.sizes == 0) g.log_small = g.log_size = logarithm;
    g.log_size += std::fmax(1e-3, 1 / (g.sizes + 1)) * (logarithm - g.log_size);
    g.log_small += rate * (0.01 - (logarithm < g.log_small ? 1 : 0));
    if (!is_active(g)) g.least_size = g.least_size == 0 ? size : std::fmin(g.least_size, size);
    g.sizes += 1;
  }
  if (!is_active(g)) g.longest_run = std::fmax(g.longest_run, g.run);
}

bool InputGuard::is_stuck(double u, TargetGuard& g) const {
  g.run = u == g.last ? g.run + 1 : 0;
  g.last = u;
  return g.run >= std::fmax(kStuckRun, kStuckTimes * g.longest_run);
}

void InputGuard::forget_held(TargetGuard& g) {
  g.held = g.waited = g.absent = g.surprise = g.doubt = g.agreeing = g.stuck = g.is_code = 0;
}

void InputGuard::learn_code(double code, TargetGuard& g) {
  if (code != g.code) g.codes = g.repeats = 0;
  g.code = code;
  g.has_code = 1;
  g.codes += g.held;
  g.repeats += g.held - 1;
}

void InputGuard::forget_rows(TargetGuard& g) {
  forget_held(g);
  g.run = 0;
}

void InputGuard::forget_map(TargetGuard& g) {
  g.map = g.stable = g.before = {};
  g.for_stable = g.for_before = g.for_training = g.in_force = 0;
}

// errors with heavy tails need a higher threshold than others
double InputGuard::kappa(const TargetGuard& g, bool is_new) const {
  const double least = is_new ? options_.outside : options_.inside;
  return std::fmax(least, std::fmin(kMostKappa, kPeaks * g.peak) * least / options_.outside);
}

// the largest |x − p| that is explained; wider after missing rows
double InputGuard::bound(double x, const Context& c, const TargetGuard& g) const {
  const bool is_new = x < c.lowest || x > c.highest;
  double widest = kappa(g, is_new) * g.limit();
  // the next event of a target that rarely moves, such as rain, looks like a fault
  const double range = c.highest - c.lowest;
  if (g.idle > kMostlyIdle) widest = g.returns_at_once() ? kOutOfRange * range : std::fmax(widest, kFarOut * range);
  return std::fmax(widest, std::fmin(widest * std::sqrt(g.absent + 1), 4.0));
}

void InputGuard::move(TargetGuard& g, UnitMap to, double by) const {
  if (g.in_force > kLasting * window_) g.stable = g.map;
  if (g.in_force > 0.5 * window_) g.before = g.map;  // what did not last is not worth returning to
  g.map = to;
  g.log_before = g.log_limit;
  g.in_force = g.for_stable = g.for_before = g.for_training = 0;
  g.pairs = -1;
  g.for_gain = 0;
  g.information = g.tiny = g.tiny_rows = g.tiny_logs = g.trial_information = 0;
  g.largest = std::fmax(g.largest, std::fabs(by));
}

// the earlier map that explains the rows better, if there is one
bool InputGuard::go_back(double u, const Context& c, TargetGuard& g, double& x) const {
  const double now = log_density(g.map, u, c.forecast, g.limit());
  const UnitMap training;
  const std::pair<const UnitMap*, double*> earlier[] = {
      {&g.stable, &g.for_stable}, {&g.before, &g.for_before}, {&training, &g.for_training}};
  for (const auto& [map, evidence] : earlier) {
    const double then = map->to(u);
    // a value that means the same under both, such as zero, says nothing
    const bool is_same = std::fabs(then - g.map.to(u)) < g.limit();
    *evidence = is_same ? *evidence : std::fmax(0.0, *evidence + log_density(*map, u, c.forecast, g.limit()) - now);
    if (*evidence < kBack || is_same) continue;
    const bool was_learned = map == &training && u - c.zero >= g.lowest_zero && u - c.zero <= g.highest_zero;
    if (!was_learned && std::fabs(then - c.forecast) > bound(then, c, g)) continue;
    const double limit = std::fmin(g.log_limit, g.log_before);  // errors under a wrong map say nothing
    move(g, UnitMap(*map), 0);
    g.log_limit = g.log_before = limit;
    x = then;
    return true;
  }
  return false;
}

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
  // beyond a thousand it is rare, and two wild values of the same sign look like it
  const bool is_usual = std::fabs(std::log10(decimal)) < 3.5 || g.held >= kManyRows;
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
      gain += log_density(ratio, u[j], p[j], g.limit()) - log_density(level, u[j], p[j], g.limit());
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

void InputGuard::begin_level(TargetGuard& g) const {
  move(g, UnitMap(g.map), 0);
  g.information = kAlarmed;
}

// a value that contradicts a level which has just been confirmed: it was part of a burst
void InputGuard::doubt_new_level(TargetGuard& g) const {
  const bool is_new_level = g.information > 0 && g.jumps > 0 && g.in_force < kManyRows && g.map.slope == g.before.slope;
  if (!is_new_level || g.map == g.before) return;
  const double limit = std::fmin(g.log_limit, g.log_before);
  move(g, UnitMap(g.before), 0);
  g.log_limit = g.log_before = limit;
  g.unrest = window_;
}

// a value waits; true: it confirms the values before it, so that the map has moved
bool InputGuard::hold(double u, double x, const Context& c, TargetGuard& g, double* held) const {
  if (g.held == 0) g.surprise = std::fabs(x - c.forecast);
  const auto at = static_cast<std::size_t>(g.held);
  held[at] = u;
  held[window_ + at] = c.forecast;
  g.held += 1;
  g.waited += 1;
  g.absent += 1;
  const double off = x - c.forecast;
  const bool agrees = g.doubt * off > 0;
  g.agreeing = agrees ? g.agreeing + 1 : 1;
  g.doubt = agrees && std::fabs(g.doubt) < std::fabs(off) ? g.doubt : off;
  const bool is_confirmed = confirm(c, g, held);
  g.jumps += is_confirmed ? 1 : 0;
  return is_confirmed || (g.held >= window_ && match_window(g, held));
}

Reading InputGuard::judge(double u, const Context& c, TargetGuard& g, double* held, double& x) const {
  const auto accept = [&] {
    forget_held(g);
    g.in_force += 1;
    return Reading::accepted;
  };
  if (is_stuck(u, g)) {
    forget_held(g);
    g.stuck = 1;
    g.absent = g.run;
    return Reading::stuck;
  }
  g.unrest = std::fmax(0.0, g.unrest - 1);
  if (go_back(u, c, g, x)) return accept();
  x = g.map.to(u);
  if (is_tiny(u, c, g)) {
    UnitMap unit;
    if (!find_larger_unit(u, c, g, unit)) {
      g.waited += 1;
      g.absent += 1;
      return Reading::held;
    }
    move(g, unit, 0);
    g.jumps += 1;
    x = g.map.to(u);
    return accept();
  }
  if (std::fabs(x - g.map.to(c.zero)) > kRounding * std::exp(g.log_size))
    g.tiny = g.tiny_rows = g.tiny_logs = 0;  // zero is the same in every unit
  // forecasts that build on forecasts may run away while rows are held; what is near the last accepted value is not strange
  const double away = std::fabs(x - g.map.to(g.last_u)), widest = bound(x, c, g);
  const double error = g.held > 2 ? std::fmin(std::fabs(x - c.forecast), away) : std::fabs(x - c.forecast);
  if (g.held == 0 && error <= widest) return accept();
  if (g.held > 0 && error <= widest && error < 0.5 * g.surprise) {  // the bound has grown with the rows held
    g.returns += 1;
    const auto n = static_cast<std::size_t>(g.held);
    if (std::all_of(held, held + n, [&](double each) { return each == held[0]; })) learn_code(held[0], g);
    return accept();
  }
  if (g.has_code > 0 && u == g.code && g.waited < kCodeRows) {
    g.repeats += g.is_code;
    g.codes += 1;
    g.is_code = 1;
    g.doubt = x - c.forecast;
    g.waited += 1;
    g.absent += 1;
    return Reading::held;
  }
  if (g.held == 0) {
    doubt_new_level(g);
    x = g.map.to(u);
  }
  if (!hold(u, x, c, g, held)) return Reading::held;
  x = g.map.to(u);
  return accept();
}

}  // namespace elastane
