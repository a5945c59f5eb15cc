// Real-time code only.
// What a forecaster accepts of a row: the guard of its input, the alarms, and the level after a jump.
#include <algorithm>
#include <cmath>
#include <limits>

#include "elastane/core/forecast/forecaster_engine.h"
#include "elastane/core/forecast/mixture.h"

namespace elastane {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kWild = 50;             // deviations from the level beyond which a value is an outlier
constexpr double kInsistence = 5;        // accept after this many consecutive outliers
constexpr double kLargest = 1e9;         // deviations of the training rows; values beyond are never accepted
constexpr double kMostIdle = 0.3;        // share of repeated values beyond which alarms move no level
constexpr double kClocklessShare = 0.7;  // of the mixture, once the season has changed
constexpr double kProbe = 1e-3;          // deviations by which a level is moved to measure the response of the forecast

}  // namespace

// the row in units of the training rows; what is missing or not explained is filled in
void ForecasterEngine::accept(std::span<const double> row, ForecastReport& report) {
  for (int c = 0; c < sizes_.channels; ++c) {
    const double u = static_cast<std::size_t>(c) < row.size() ? in_units(c, row[c]) : kMissing;
    x_[c] = kMissing;
    const bool has_value = std::isfinite(u);
    if (has_value && (is_guarded(c) ? accept_guarded(c, u, report) : accept_value(c, u, report))) {
      state_.bank.value[c] = x_[c];
      state_.lowest[c] = std::fmin(state_.lowest[c], x_[c]);
      state_.highest[c] = std::fmax(state_.highest[c], x_[c]);
      if (c < sizes_.targets) {
        state_.guard[c].lowest_u = std::fmin(state_.guard[c].lowest_u, u);
        state_.guard[c].highest_u = std::fmax(state_.guard[c].highest_u, u);
        state_.guard[c].last_u = u;
      }
      continue;
    }
    report.missing += 1;
    if (!has_value && c < sizes_.targets) state_.guard[c].absent += 1;
    fill_in(c);
  }
}

bool ForecasterEngine::is_guarded(int c) const {
  return c < sizes_.targets && state_.begun[c] > 0 && state_.header->origins > 0 && guard_.is_active(state_.guard[c]);
}

// far from the level, or, before the first value, from all that was ever accepted
bool ForecasterEngine::is_wild(int c, double x) const {
  if (std::fabs(x) > kLargest) return true;
  if (state_.strange[c] >= kInsistence) return false;
  if (state_.begun[c] > 0) {
    return std::fabs(x - state_.bank.level[c]) > kWild * std::sqrt(state_.bank.spread[c] + 1.0);
  }
  const bool has_range = guard_.is_on() && state_.highest[c] > state_.lowest[c];
  return has_range && (x < state_.lowest[c] - kWild || x > state_.highest[c] + kWild);
}

// without a guard: all but outliers, which are accepted if they insist
bool ForecasterEngine::accept_value(int c, double u, ForecastReport& report) {
  const bool is_target = c < sizes_.targets;
  const double x = is_target ? state_.guard[c].map.to(u) : u;
  const bool has_forecast = is_target && state_.header->origins > 0 && state_.begun[c] > 0;
  if (is_wild(c, x)) {
    state_.strange[c] += 1;
    report.refused += 1;
    if (has_forecast) watch_refused(c, x - next_value(c), report);
    return false;
  }
  state_.strange[c] = 0;
  x_[c] = x;
  if (is_target) {
    TargetGuard& guard = state_.guard[c];
    if (has_forecast && guard.absent == 0) watch(c, x - next_value(c), report);
    if (guard_.is_on()) learn_unguarded(c, u);
    guard.absent = 0;
  }
  if (state_.begun[c] == 0) {
    bank_.begin(c, x, state_.bank);
    state_.begun[c] = 1;
  }
  return true;
}

// what the guard will need once it is active
void ForecasterEngine::learn_unguarded(int c, double u) {
  TargetGuard& guard = state_.guard[c];
  guard_.is_stuck(u, guard);
  guard_.learn_value(u, in_units(c, 0), guard);
  if (state_.header->origins > 0 && guard.absent == 0) {
    guard_.follow({x_[c] - next_value(c), x_[c], state_.bank.value[c], state_.bank.level[c]}, guard);
  }
}

bool ForecasterEngine::accept_guarded(int c, double u, ForecastReport& report) {
  TargetGuard& guard = state_.guard[c];
  const double forecast = next_value(c), zero = in_units(c, 0), last = state_.bank.value[c];
  const double rows = guard.absent + 1;
  const UnitMap before = guard.map;
  const bool was_level = guard.information > 0;
  double* held = state_.held + static_cast<std::size_t>(c) * 2 * sizes_.window;
  const Reading reading = guard_.judge(u,
                                       {forecast, state_.lowest[c], state_.highest[c], zero, last, state_.bank.level[c],
                                        state_.bank.spread[c], has_season() ? *season_ago(c) : kMissing},
                                       guard, held, x_[c]);
  const bool has_moved = guard.in_force <= 1 && !(guard.map == before);
  report.moved += has_moved ? 1 : 0;
  report.stuck += reading == Reading::stuck ? 1 : 0;
  if (has_moved) report.drift = guard.map.slope == before.slope ? DriftKind::level : DriftKind::scale;
  const double error = before.to(u) - forecast;
  if (reading != Reading::accepted || std::fabs(x_[c]) > kLargest) {
    report.refused += reading == Reading::held ? 1 : 0;
    // a forecast of several rows ahead is less sure
    if (reading == Reading::held) watch_refused(c, error / std::sqrt(rows), report);
    x_[c] = kMissing;
    return false;
  }
  if (has_moved) {
    watch_refused(c, error / std::sqrt(rows), report);
    if (guard.information > 0) bank_.begin(c, 0, state_.response);
  } else if (rows == 1) {
    watch(c, error, report);
  }
  if (guard.map.slope == 1) guard_.learn_value(u, zero, guard);
  if (!has_moved && has_season() && guard_.compare_season(u, *season_ago(c), guard)) {
    x_[c] = guard.map.to(u);
    report.drift = DriftKind::scale;
    bank_.begin(c, 0, state_.response);
  }
  if (was_level && guard.information > 0 && guard.map == before) refine_level(c, error);
  if (rows == 1 && guard.map == before && guard.information == 0 && may_try_level(guard)) {
    try_level(c, error, report);
  } else if (guard.information == 0) {
    guard.trial_information = 0;
  }
  if (rows == 1 && !has_moved) guard_.follow({error, x_[c], last, state_.bank.level[c]}, guard);
  return true;
}

// alarms, by the error of the one-step forecast
void ForecasterEngine::watch(int i, double error, ForecastReport& report) {
  const AlarmRow row{error, x_[i] - state_.bank.value[i], bank_.clock()};
  const AlarmVerdict verdict = judge_row(row, options_.alarm.rate / sizes_.targets, state_.watched[i]);
  report_verdict(verdict, report);
  if (verdict.drift == DriftKind::season && sizes_.has_clockless) {
    prefer(sizes_.members - 1, kClocklessShare, sizes_.members, sizes_.steps, shares(i));
  }
  TargetGuard& guard = state_.guard[i];
  if (verdict.drift == DriftKind::level && is_guarded(i) && may_try_level(guard) &&
      (guard.information == 0 || guard.in_force > sizes_.window)) {
    if (guard.trial_information > 0 && guard.trial_evidence > 0) return accept_trial(i);
    guard_.begin_level(guard);
    bank_.begin(i, 0, state_.response);
  }
}

// a target that often repeats its value, such as zero, has not left its level while it does
bool ForecasterEngine::may_try_level(const TargetGuard& guard) const {
  return guard.tiny == 0 && guard.idle < kMostIdle;
}

// a jump that no single value showed
void ForecasterEngine::try_level(int i, double error, ForecastReport& report) {
  const InputGuard::Trial trial = guard_.follow_trial(error, state_.guard[i]);
  if (trial == InputGuard::Trial::begun) bank_.begin(i, 0, state_.response);
  if (trial != InputGuard::Trial::confirmed) return;
  accept_trial(i);
  report.moved += 1;
  report.drift = DriftKind::level;
}

void ForecasterEngine::accept_trial(int i) {
  const double by = guard_.accept_trial(state_.guard[i]);
  x_[i] += by;
  bank_.add(i, by, state_.response, state_.bank);
}

void ForecasterEngine::watch_refused(int i, double error, ForecastReport& report) {
  report_verdict(judge_refused_row(error, options_.alarm.rate / sizes_.targets, state_.watched[i]), report);
}

void ForecasterEngine::report_verdict(const AlarmVerdict& verdict, ForecastReport& report) const {
  report.anomaly = std::fmin(report.anomaly, std::fmin(1.0, verdict.p_value * sizes_.targets));  // the least of several
  report.is_unusual = report.is_unusual || verdict.is_unusual;
  if (report.drift == DriftKind::none) report.drift = verdict.drift;
}

// what features see of a missing value: its forecast if there is a guard, else the last value
void ForecasterEngine::fill_in(int c) {
  if (is_guarded(c)) state_.bank.value[c] = next_value(c);
}

// --- The level after a jump is known only roughly. Whatever lies behind the map is linear in the rows since then, so that a
// better level can be put in as if it had been known from the start: bank ← bank + dB·(its response to a level of 1).

void ForecasterEngine::refine_level(int i, double error) {
  const double by = guard_.refine_level(error, state_.guard[i]);
  x_[i] += by;
  bank_.add(i, by, state_.response, state_.bank);
}

void ForecasterEngine::advance_response(int i) {
  // a missing value was filled in by the forecast, which follows the level only so far
  state_.response.value[i] = std::isnan(x_[i]) ? state_.guard[i].follows : 1.0;
  bank_.advance(i, state_.response);
}

// ∂p/∂B, by a small difference
void ForecasterEngine::measure_response(int i, const double* phi) {
  bank_.add(i, kProbe, state_.response, state_.bank);
  state_.bank.value[i] += kProbe * state_.response.value[i];
  compute_features(i, probe_.data());
  state_.bank.value[i] -= kProbe * state_.response.value[i];
  bank_.add(i, -kProbe, state_.response, state_.bank);
  for (int f = 0; f < sizes_.shape.features; ++f) probe_[f] = (probe_[f] - phi[f]) / kProbe;
  const std::size_t at = static_cast<std::size_t>(i) * sizes_.horizon;
  const int stride = sizes_.shape.stride;
  const auto part = [&](int member, const double* w, int n) {
    return shares(i)[member * sizes_.steps] * own_kernels_->dot(w, probe_.data(), n);
  };
  double follows = state_.response.value[i] + part(kFrozenMember, model_->frozen.data() + at * stride, stride);
  for (int l = 0; l < sizes_.learners; ++l) {
    if (sizes_.is_clockless(l)) {  // its features are linear, but for the constant
      bank_.clockless_features(i, state_.response, probe_.data());
      probe_[0] = 0;
    }
    follows += part(kStandingMembers + l, weights(l, i)[0], sizes_.readout(l).stride);
  }
  state_.guard[i].follows = std::clamp(follows, -0.5, 1.0);
}

}  // namespace elastane
