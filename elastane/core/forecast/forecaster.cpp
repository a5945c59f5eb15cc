// Real-time code only.
// ★ One row of a stream: accept, judge, learn, advance, forecast, anticipate. What may allocate is in
// forecaster_setup.cpp.
#include "elastane/core/forecast/forecaster_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastane/core/base/clock.h"
#include "elastane/core/base/denormals.h"
#include "elastane/core/forecast/mixture.h"
#include "elastane/core/objective/gaussian.h"

namespace elastane {
namespace {

constexpr double kRoom = 0.5;  // share of the observed range by which forecasts may leave it

bool has_label(double x) { return !std::isnan(x); }

}  // namespace

ForecastReport ForecasterEngine::observe(std::span<const double> row, const Budget& budget) {
  const FlushDenormals flush;
  const double begun = now_micros();
  ForecastReport report;
  bank_.turn(tick());
  accept(row, report);
  judge(report);
  advance();
  pass_targets(budget, report);
  state_.header->tick += 1;
  state_.header->rows += 1;
  state_.header->origins = std::fmin(state_.header->origins + 1, sizes_.horizon);
  publish();
  state_.alarm->follow(report.drift);
  report.drift = state_.alarm->on();
  report.is_cold = state_.header->rows <= sizes_.window;
  report.elapsed = now_micros() - begun;
  return report;
}

ForecastReport ForecasterEngine::observe_at(std::uint64_t when, std::span<const double> row, const Budget& budget) {
  const double begun = now_micros();
  if (when > tick() && state_.header->rows > 0) {
    skip(when - tick());
  } else if (when > tick()) {
    state_.header->tick = static_cast<double>(when);
  }
  ForecastReport report = observe(row, budget);
  report.elapsed = now_micros() - begun;
  return report;
}

// ticks without rows
void ForecasterEngine::skip(std::uint64_t ticks) {
  if (ticks > kLongGap) {
    forget_rows(tick() + ticks);
    return;
  }
  for (std::uint64_t i = 0; i < ticks; ++i) {
    observe({}, {});
    state_.header->rows -= 1;
  }
}

// the forecasts that this row was for, made 1 … H rows ago
void ForecasterEngine::judge(ForecastReport& report) {
  for (int i = 0; i < sizes_.targets; ++i) {
    if (!has_label(x_[i])) continue;
    report.labels += 1;
    judge_target(i, x_[i]);
  }
}

void ForecasterEngine::judge_target(int i, double label) {
  const int members = sizes_.members, steps = sizes_.steps, origins = static_cast<int>(state_.header->origins);
  const double labels = state_.watched[i].seen + 1;
  std::ranges::fill(gain_, 0.0);
  const int now = state_.slot(state_.header->tick);
  const double since = sizes_.has_clockless ? state_.watched[i].since_season : INFINITY;  // else no read-out to prefer
  Interval* intervals = state_.intervals + static_cast<std::size_t>(i) * sizes_.horizon;
  const double *doubted = ring(state_.doubted, 0, i, 1), *scale = ring(state_.scale, 0, i, steps);
  for (int h = 1; h <= origins; ++h) {
    const int slot = now >= h ? now - h : now - h + sizes_.horizon, at = slot * steps + h - 1;
    if (doubted[slot] > 0) continue;  // made without its last value: teaches nothing
    gain_[h - 1] = mixture_gain(options_.mixture, since, h);
    const double* guesses = ring(state_.guesses, slot, i, members * steps) + h - 1;
    for (int e = 0; e < members; ++e) errors_[e * steps + h - 1] = guesses[e * steps] - label;

    const double error = label - ring(state_.mixed, 0, i, steps)[at];
    const double low = ring(state_.low, 0, i, steps)[at], high = ring(state_.high, 0, i, steps)[at];
    state_.header->covered += low <= label && label <= high ? 1 : 0;
    state_.header->judged += 1;
    intervals[h - 1].follow(options_.interval, error, scale[at], h / labels);
  }
  const MixtureOptions& o = options_.mixture;
  own_kernels_->follow_mixtures({errors_.data(), gain_.data(), first_shares_.data(), common(i), shares(i), members,
                                 steps, kFrozenMember, o.rate, o.share, o.caution});
}

// One target after the other, so that its read-outs are read once: learn, forecast, anticipate. Each row starts with another
// target, so that a budget treats all alike.
void ForecasterEngine::pass_targets(const Budget& budget, ForecastReport& report) {
  const bool takes_all = options_.gate.kind == Gate::always && budget.clock == Budget::Clock::none;
  const bool may_learn = options_.adapt && state_.header->origins >= 1;
  const double begun = takes_all ? 0 : now_micros();
  double spent = 0;
  const int first = static_cast<int>(std::fmod(state_.header->tick, sizes_.targets));
  for (int n = 0; n < sizes_.targets; ++n) {
    const int i = (first + n) % sizes_.targets;
    const bool learns = may_learn && has_label(x_[i]);
    if (learns && takes_all) learn_at_once(i, x_[i], report);
    if (learns && !takes_all) learn_within(budget, begun, i, spent, report);
    forecast_target(i);
    if (options_.adapt) anticipate(i);
  }
}

// the same labels correct the read-outs, as far as the budget reaches
void ForecasterEngine::learn_within(const Budget& budget, double begun, int i, double& spent, ForecastReport& report) {
  for (int l = 0; l < sizes_.learners; ++l) {
    Budget left = budget;
    left.limit -= budget.clock == Budget::Clock::wall ? now_micros() - begun : spent;
    const StepReport step = learn_target(l, i, x_[i], left);
    spent += static_cast<double>(step.total_macs());
    report.depth += step.depth;
    report.accepted += step.accepted;
    if (step.stop != Stop::completed) report.stop = step.stop;
  }
}

// where nothing is to be weighed, the correction of learn_target is a_h = label − ŷ_h for every h
void ForecasterEngine::learn_at_once(int i, double label, ForecastReport& report) {
  for (int l = 0; l < sizes_.learners; ++l) {
    const int stride = sizes_.readout(l).stride;
    const bool has_learned = own_kernels_->learn_label({.features = ring(features(l), 0, i, stride),
                                                        .anchor = ring(state_.anchor, 0, i, 1),
                                                        .gains = ring(gains(l), 0, i, stride),
                                                        .reach = ring(reach(l), 0, i, 1),
                                                        .weights = weights(l, i)[0],
                                                        .horizon = sizes_.horizon,
                                                        .stride = stride,
                                                        .slot = state_.slot(state_.header->tick),
                                                        .origins = static_cast<int>(state_.header->origins),
                                                        .label = static_cast<float>(label)});  // as objectives see it
    report.depth += has_learned ? 1 : 0;
    report.accepted += has_learned ? 1 : 0;
  }
}

// one label, H forecasts: W_h ← W_h + a_h k of the row that was h before
StepReport ForecasterEngine::learn_target(int l, int i, double label, const Budget& budget) {
  const int stride = sizes_.readout(l).stride, horizon = sizes_.horizon;
  const auto origins = static_cast<int>(state_.header->origins);
  const DoubleRows w = weights(l, i);
  for (int h = 1; h <= horizon; ++h) {
    const int slot = state_.slot(state_.header->tick - h);
    reach_[h - 1] = h <= origins ? *ring(reach(l), slot, i, 1) : 0.0;
    before_[h - 1] = 0;
    label_[h - 1] = reach_[h - 1] > 0 ? static_cast<float>(label) : std::numeric_limits<float>::quiet_NaN();
    if (!(reach_[h - 1] > 0)) continue;
    before_[h - 1] =
        own_kernels_->dot(w[h - 1], ring(features(l), slot, i, stride), stride) + *ring(state_.anchor, slot, i, 1);
  }
  LabelLatent latent(before_, reach_);
  const std::size_t n = horizon;
  const Gaussian objective({.values = label_, .noises = {model_->noise.data() + i * n, n}});
  std::ranges::fill(a_, 0.0);
  const StepReport report =
      corrector_.correct(latent, objective, budget, {a_.data(), n}, {y_.data(), n}, trust_.data());
  if (report.accepted == 0) return report;
  for (int h = 1; h <= origins; ++h) {
    const double* k = ring(gains(l), state_.slot(state_.header->tick - h), i, stride);
    kernels_->add_scaled(a_[h - 1], k, stride, w[h - 1]);
  }
  return report;
}

void ForecasterEngine::advance() {
  for (int c = 0; c < sizes_.channels; ++c) {
    if (state_.begun[c] > 0) bank_.advance(c, state_.bank);
  }
  for (int i = 0; i < sizes_.targets; ++i) {
    *season_ago(i) = state_.bank.value[i];
    if (has_response(i)) advance_response(i);
  }
}

// scaled and limited
void ForecasterEngine::compute_features(int i, double* phi) const {
  const FeatureShape& shape = sizes_.shape;
  const std::size_t n = shape.neighbours;
  bank_.features(i, {model_->neighbour.data() + i * n, n}, state_.bank, phi);
  const double* scale = model_->feature_scale.data() + static_cast<std::size_t>(i) * shape.stride;
  const double* limit = model_->feature_limit.data() + static_cast<std::size_t>(i) * shape.stride;
  for (int f = 0; f < shape.features; ++f) phi[f] /= scale[f];
  for (int f = 0; guard_.is_on() && f < shape.features; ++f) phi[f] = std::clamp(phi[f], -limit[f], limit[f]);
}

// features of this row, the forecasts of all members, and their mixture
void ForecasterEngine::forecast_target(int i) {
  const int slot = state_.slot(state_.header->tick), steps = sizes_.steps, members = sizes_.members;
  const FeatureShape& shape = sizes_.shape;
  double* phi = ring(state_.features, slot, i, shape.stride);
  compute_features(i, phi);

  const double x = state_.bank.value[i];
  *ring(state_.anchor, slot, i, 1) = x;
  *ring(state_.doubted, slot, i, 1) = state_.guard[i].waited + state_.guard[i].stuck > 0 ? 1 : 0;
  double* guesses = ring(state_.guesses, slot, i, members * steps);
  const ConstDoubleRows all = {phi, 1, shape.stride};
  const std::size_t of_target = static_cast<std::size_t>(i) * sizes_.horizon * shape.stride;
  std::fill_n(guesses, steps, 0.0);
  kernels_->gram({model_->frozen.data() + of_target, sizes_.horizon, shape.stride}, all, shape.stride, guesses + steps,
                 1);
  if (sizes_.has_clockless) {
    bank_.clockless_features(i, state_.bank, ring(state_.clockless, slot, i, double_stride(shape.clockless)));
  }
  for (int l = 0; l < sizes_.learners; ++l) {
    const int stride = sizes_.readout(l).stride;
    kernels_->gram(weights(l, i), {ring(features(l), slot, i, stride), 1, stride}, stride,
                   guesses + (kStandingMembers + l) * steps, 1);
  }
  const double room = kRoom * (state_.highest[i] - state_.lowest[i]);
  const double lowest = state_.lowest[i] - room, highest = state_.highest[i] + room;
  for (int e = 0; e < members; ++e) {
    double* guess = guesses + e * steps;
    for (int h = 0; h < sizes_.horizon; ++h) guess[h] = std::min(std::max(x + guess[h], lowest), highest);
  }

  if (has_response(i)) measure_response(i, phi);

  double* mixed = ring(state_.mixed, slot, i, steps);
  for (int h = 0; h < sizes_.horizon; ++h) {
    const std::size_t at = static_cast<std::size_t>(i) * sizes_.horizon + h;
    double sum = 0;
    for (int e = 0; e < members; ++e) sum += shares(i)[e * steps + h] * guesses[e * steps + h];
    mixed[h] = !options_.adapt ? guesses[steps + h] : options_.hedge ? sum : guesses[kStandingMembers * steps + h];
    const Interval& interval = state_.intervals[at];
    ring(state_.scale, slot, i, steps)[h] = interval.scale();
    ring(state_.low, slot, i, steps)[h] = mixed[h] + interval.below * interval.scale();
    ring(state_.high, slot, i, steps)[h] = mixed[h] + interval.above * interval.scale();
  }
}

// gains and covariances for the labels of this row's forecasts, before they arrive
void ForecasterEngine::anticipate(int i) {
  const int slot = state_.slot(state_.header->tick);
  for (int l = 0; l < sizes_.learners; ++l) {
    const ReadoutShape of = sizes_.readout(l);
    double* gain = ring(gains(l), slot, i, of.stride);
    // a missing row teaches nothing
    *ring(reach(l), slot, i, 1) = has_label(x_[i])
                                      ? take_gain(rules_[l], *own_kernels_, of.features,
                                                  ring(features(l), slot, i, of.stride), covariance(l, i), gain)
                                      : 0.0;
  }
}

// Converts the forecast to the units of the data. A value in doubt moves it as far as earlier ones were confirmed; a stuck
// sensor is forecast to stay where it is.
void ForecasterEngine::publish() {
  const int slot = state_.slot(state_.header->tick - 1), targets = sizes_.targets, steps = sizes_.steps;
  for (int i = 0; i < targets; ++i) {
    const double mean = mean_[i], deviation = deviation_[i];
    const TargetGuard& guard = state_.guard[i];
    const double* mixed = ring(state_.mixed, slot, i, steps);
    const double stay = guard.map.to(guard.last);
    const bool is_doubted = guard.waited > 0;
    // whatever the map, nothing far from all that was ever accepted
    const double range = guard.highest_u - guard.lowest_u, least = guard.lowest_u - range,
                 most = guard.highest_u + range;
    const bool is_bounded = guard_.is_on() && !is_doubted, is_mapped = !(guard.map == UnitMap());
    const bool is_plain = is_bounded && !is_mapped && guard.stuck == 0;
    const auto put = [&](const double* of, std::vector<double>& to) {
      if (is_plain) {  // nearly always
        for (int h = 0; h < sizes_.horizon; ++h)
          to[static_cast<std::size_t>(h) * targets + i] = mean + deviation * std::min(std::max(of[h], least), most);
        return;
      }
      for (int h = 0; h < sizes_.horizon; ++h) {
        // what has lasted n rows lasts h more with a chance of n/(n + h)
        const double share = guard.run / (guard.run + h + 1);
        const double x = of[h] + (guard.stuck > 0 ? share * (stay - mixed[h])
                                  : is_doubted    ? guard.followed(h + 1)
                                                  : 0.0);
        const double u = is_mapped ? guard.map.from(x) : x;
        to[static_cast<std::size_t>(h) * targets + i] =
            mean + deviation * (is_bounded ? std::min(std::max(u, least), most) : u);
      }
    };
    put(mixed, forecast_);
    put(ring(state_.low, slot, i, steps), lower_);
    put(ring(state_.high, slot, i, steps), upper_);
  }
}

void ForecasterEngine::set_tick(std::uint64_t tick) {
  state_.header->tick = static_cast<double>(tick);
  state_.header->origins = 0;
}

void ForecasterEngine::forget_rows(std::uint64_t tick) {
  ForecastHeader& header = *state_.header;
  header.tick = static_cast<double>(tick);
  header.origins = header.rows = 0;
  for (int c = 0; c < sizes_.channels; ++c) {
    // the range stays what it was: forecasts may return to it
    bank_.begin(c, 0, state_.bank);
    state_.begun[c] = state_.strange[c] = 0;
  }
  for (int i = 0; i < sizes_.targets; ++i) InputGuard::forget_rows(state_.guard[i]);
}

DoubleRows ForecasterEngine::weights(int learner, int target) const {
  const int stride = sizes_.readout(learner).stride;
  return {ring(state_.weights + offset_of(learner), 0, target, stride), sizes_.horizon, stride};
}

DoubleRows ForecasterEngine::covariance(int learner, int target) const {
  const ReadoutShape of = sizes_.readout(learner);
  const std::size_t others = static_cast<std::size_t>(learner) * sizes_.targets * sizes_.shape.features;
  return {state_.covariance + others * sizes_.shape.stride + static_cast<std::size_t>(target) * of.features * of.stride,
          of.features, of.stride};
}

// --- Forecaster

ForecastReport Forecaster::observe(std::span<const double> row, const Budget& budget) {
  return engine_->observe(row, budget);
}
ForecastReport Forecaster::observe_at(std::uint64_t tick, std::span<const double> row, const Budget& budget) {
  return engine_->observe_at(tick, row, budget);
}
std::span<const double> Forecaster::forecast() const { return engine_->forecast(); }
std::span<const double> Forecaster::lower() const { return engine_->lower(); }
std::span<const double> Forecaster::upper() const { return engine_->upper(); }
std::uint64_t Forecaster::tick() const { return engine_->tick(); }
std::uint64_t Forecaster::rows() const { return engine_->rows(); }
double Forecaster::coverage() const { return engine_->coverage(); }
const DriftAlarm& Forecaster::alarm() const { return engine_->alarm(); }
std::uint64_t Forecaster::alarms() const { return static_cast<std::uint64_t>(engine_->alarm().raised); }
DriftKind Forecaster::drift() const { return engine_->alarm().on(); }
const ForecastModel& Forecaster::model() const { return engine_->model(); }
const ForecasterOptions& Forecaster::options() const { return engine_->options(); }
void Forecaster::set_tick(std::uint64_t tick) { engine_->set_tick(tick); }
void Forecaster::forget_rows(std::uint64_t tick) { engine_->forget_rows(tick); }
std::span<const double> Forecaster::state() const { return engine_->state(); }
std::uint64_t Forecaster::fingerprint() const { return engine_->fingerprint(); }
double Forecaster::in_units(int channel, double x) const { return engine_->in_units(channel, x); }
const ForecastState& Forecaster::view() const { return engine_->view(); }
const ForecastSizes& Forecaster::sizes() const { return engine_->sizes(); }

}  // namespace elastane
