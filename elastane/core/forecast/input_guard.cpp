// Real-time code only.
#include "elastane/core/forecast/input_guard.h"

#include <algorithm>

namespace elastane {
namespace {

constexpr double kBack = 8;                       // evidence, in nats, that an earlier map holds again
constexpr double kAlarmed = 0.5;                  // information about a level of which only an alarm has spoken
constexpr double kTrialErrors = 1;                // of q, beyond which a jump may have begun
constexpr double kTrialNats = 5, kTrialLost = 3;  // evidence for it, and against it
constexpr double kEnough = 100;                   // information about a new level when it is settled
constexpr double kSettled = 10;                   // seasons after which it is, anyway
constexpr double kMostlyIdle = 0.6, kFarOut = 8;
constexpr double kFarFromIdle = 50;  // deviations from its level within which an idle target may leave its range
constexpr double kOutOfRange = 2;    // of the range, where an idle target returns at once
constexpr double kPeaks = 2;         // κ over the largest error so far
constexpr double kMostKappa = 40, kMostLimit = 2.1;  // of κ, and of log q
constexpr double kCodeRows = 24;                     // rows for which a code for nothing is not believed
constexpr double kStuckRun = 12;                     // fewest equal values that count as stuck
constexpr double kStuckTimes = 3;                    // over the longest usual run

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
  const auto density = [&](double e) { return UnitMap().log_density(e, 0, g.limit()); };
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
  // the next event of a target that rarely moves, such as rain, looks like a fault; but one far beyond any before is one
  const double range = c.highest - c.lowest;
  const bool is_wild = is_new && std::fabs(x - c.level) > kFarFromIdle * std::sqrt(c.spread + 1.0);
  if (g.returns_at_once()) {
    widest = kOutOfRange * range;
  } else if (g.idle > kMostlyIdle) {
    widest = is_wild ? range : std::fmax(widest, kFarOut * range);
  }
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
  forget_less(g);
  g.largest = std::fmax(g.largest, std::fabs(by));
}

// the earlier map that explains the rows better, if there is one
bool InputGuard::go_back(double u, const Context& c, TargetGuard& g, double& x) const {
  const double now = g.map.log_density(u, c.forecast, g.limit());
  const UnitMap training;
  const std::pair<const UnitMap*, double*> earlier[] = {
      {&g.stable, &g.for_stable}, {&g.before, &g.for_before}, {&training, &g.for_training}};
  for (const auto& [map, evidence] : earlier) {
    const double then = map->to(u);
    // a value that means the same under both, such as zero, says nothing
    const bool is_same = std::fabs(then - g.map.to(u)) < g.limit();
    *evidence = is_same ? *evidence : std::fmax(0.0, *evidence + map->log_density(u, c.forecast, g.limit()) - now);
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
  const bool may_be_tiny = is_tiny(u, c, g);
  UnitMap unit;
  if (find_unit_by_season(u, c, g, unit) || (may_be_tiny && find_larger_unit(u, c, g, unit))) {
    move(g, unit, 0);
    g.jumps += 1;
    x = g.map.to(u);
    return accept();
  }
  if (may_be_tiny) {
    g.waited += 1;
    g.absent += 1;
    return Reading::held;
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
