// Real-time code only.
// What happens around and in a correction; what may allocate is in stream_corrector_setup.cpp.
#include "elastane/core/latent/stream_corrector.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "elastane/core/base/clock.h"
#include "elastane/core/base/denormals.h"
#include "elastane/core/metric/geometry.h"
#include "elastane/core/network/state.h"

namespace elastane {
namespace {

// drops values that have diverged
double bounded(double x) { return std::fabs(x) <= 1e12 ? x : 0.0; }

}  // namespace

StreamCorrector::Tangents StreamCorrector::tangents(int count) {
  const DoubleRows all{tangent_rows_.data(), 2 * kTangents, double_stride(stack_.carried())};
  return {all.slice(0, count), all.slice(kTangents, count)};
}

std::size_t StreamCorrector::state_doubles() const {
  return as_size(kDoubleLane) + as_size(double_stride(inputs_)) + fading_doubles_ + coordinate_doubles_ +
         corrector_.memory_doubles();
}

std::span<const double> StreamCorrector::persistent(const std::byte* state) const {
  return span_of<const double>(c(state), coordinate_count_);
}

void StreamCorrector::reset(std::byte* state) {
  double* kept = own(state);
  for (std::size_t i = 0; i < state_doubles(); ++i) kept[i] = 0;
  kept[0] = 1;
  corrector_.reset(memory(state));
  if (persistent_) {
    persistent_->carve_memory(coordinates(state), stack_.carried());
    persistent_->reset_memory();
  }
  if (kalman_) start_covariance();
  forget();
}

void StreamCorrector::restart(std::byte* state) {
  double* kept = own(state);
  for (std::ptrdiff_t i = 0; kept + i < coordinates(state); ++i) kept[i] = 0;
  kept[0] = 1;
  if (persistent_) {
    persistent_->carve_memory(coordinates(state), stack_.carried());
    persistent_->forget_past();
  }
  if (kalman_) {
    corrector_.geometry().carve_memory(memory(state) + double_stride(1));
    corrector_.geometry().restart_covariance(stack_.latents() - coordinate_count_);
  }
  corrector_.restart(memory(state));
  forget();
}

void StreamCorrector::start_covariance() {
  Geometry& geometry = corrector_.geometry();
  geometry.start_covariance();
  for (int i = 0, z = stack_.latents() - coordinate_count_; i < coordinate_count_; ++i) {
    geometry.memory.covariance[z + i][z + i] = persistent_options_.variances[i];
  }
}

void StreamCorrector::before_step(const std::byte* state) {
  if (carries()) stack_.keep(state);
}

void StreamCorrector::after_step(std::byte* state, const float* normalised, float dt, std::span<float> output) {
  double* kept = own(state);
  kept[0] = dt;
  for (int i = 0; i < inputs_; ++i) {
    kept[kDoubleLane + i] = std::fabs(normalised[i]) <= kStateLimit ? normalised[i] : 0.0;
  }
  forget();
  if (!persistent_ && !kalman_ && !is_fading(state)) return;

  const FlushDenormals flush;
  if (persistent_) {
    persistent_->carve_memory(coordinates(state), stack_.carried());
    persistent_->leak();  // c⁺ = ρc, and the step uses it
  }
  bind(state);
  stack_.begin_step();
  if (coordinate_count_ > 0) {
    stack_.step_value(tangent_rows_, output_);
    stack_.commit_step();
    publish(output);
    bound_ = false;
  }
  if (persistent_) carry_sensitivity();
  if (is_fading(state)) fade(state, output);
  if (kalman_) {
    corrector_.geometry().carve_memory(memory(state) + double_stride(1));
    carry_covariance();
    if (!corrector_.geometry().has_covariance()) start_covariance();  // it has diverged
  }
}

// S ← ρFS + F_c, one row per moving coordinate
void StreamCorrector::carry_sensitivity() {
  const int carried = stack_.carried(), z = stack_.latents() - coordinate_count_, still = coordinate_count_ - moving_;
  const DoubleRows s = persistent_->memory.sensitivity;
  for (int first = 0; first < moving_; first += kTangents) {
    const int count = std::min(kTangents, moving_ - first);
    const auto [before, after] = tangents(count);
    for (int r = 0; r < count; ++r) {
      for (int i = 0; i < carried; ++i) before[r][i] = persistent_options_.leak * s[first + r][i];
      for (int i = 0; i < coordinate_count_; ++i) before[r][z + i] = i == still + first + r ? 1.0 : 0.0;
    }
    stack_.step_jvp(before, after, {});
    for (int r = 0; r < count; ++r) {
      for (int i = 0; i < carried; ++i) s[first + r][i] = bounded(after[r][i]);
    }
  }
}

bool StreamCorrector::is_fading(const std::byte* state) const {
  const double* change = fading(state);
  for (std::size_t i = 0; i < fading_doubles_; ++i) {
    if (change[i] != 0) return true;
  }
  return false;
}

// δ ← Fδ, z ← z − φδ, δ ← (1 − φ)δ
void StreamCorrector::fade(std::byte* state, std::span<float> output) {
  const int carried = stack_.carried(), z = stack_.latents() - coordinate_count_;
  const auto [before, after] = tangents(1);
  double* change = fading(state);
  std::memcpy(before[0], change, sizeof(double) * fading_doubles_);
  stack_.step_jvp(before, after, {});
  bound_ = false;
  bind(state);
  stack_.latents_from_state(before_);
  for (int i = 0; i < carried; ++i) {
    const double now = bounded(after[0][i]);
    if (i < z) before_[i] -= fade_ * now;
    change[i] = (1 - fade_) * now;
  }
  stack_.commit(before_);
  stack_.output(before_, output_);
  publish(output);
  bound_ = false;
}

// P ← FPFᵀ + Q
void StreamCorrector::carry_covariance() {
  Geometry& geometry = corrector_.geometry();
  const int d = stack_.latents();
  switch (dynamics_) {
    case Dynamics::diagonal: geometry.predict_diagonal(push_ones(d), noise_); break;
    case Dynamics::pairs: geometry.predict_pairs(push_ones(d / 2), noise_); break;  // 1 + 0i goes to Ā
    case Dynamics::dense: {
      const DoubleRows f{dynamics_rows_.data(), d, double_stride(d)}, scratch{f[d], d, double_stride(d)};
      push_units(f);
      geometry.predict_dense(f, scratch, noise_);
      break;
    }
  }
}

// F·(1, …, 1, 0, …), with the first `count` entries 1
std::span<const double> StreamCorrector::push_ones(int count) {
  const auto [before, after] = tangents(1);
  std::memset(before[0], 0, sizeof(double) * as_size(before.stride));
  for (int i = 0; i < count; ++i) before[0][i] = 1;
  stack_.step_jvp(before, after, {});
  return span_of<const double>(after[0], stack_.latents());
}

// the columns of F, as rows; c comes in before its leak
void StreamCorrector::push_units(DoubleRows f) {
  const int d = stack_.latents(), z = d - coordinate_count_;
  for (int first = 0; first < d; first += kTangents) {
    const int count = std::min(kTangents, d - first);
    const auto [before, after] = tangents(count);
    for (int r = 0; r < count; ++r) {
      std::memset(before[r], 0, sizeof(double) * as_size(before.stride));
      before[r][first + r] = first + r < z ? 1.0 : persistent_options_.leak;
    }
    stack_.step_jvp(before, after, {});
    for (int r = 0; r < count; ++r) std::memcpy(f[first + r], after[r], sizeof(double) * as_size(d));
  }
}

// the network's read-out and its latents at the state as it is now
void StreamCorrector::bind(std::byte* state) {
  if (bound_) return;
  const double* kept = own(state);
  for (int i = 0; i < inputs_; ++i) input_[i] = static_cast<float>(kept[kDoubleLane + i]);
  stack_.bind(state, {.dt = kept[0], .normalised = input_, .persistent = coordinate_count_ > 0 ? c(state) : nullptr});
  stack_.latents_from_state(z_);
  if (persistent_) {
    persistent_->carve_memory(coordinates(state), stack_.carried());
    sound_ = persistent_->begin(stack_);
    for (int i = stack_.latents() - coordinate_count_; i < stack_.latents(); ++i) z_[i] = 0;  // ĉ
  }
  bound_ = true;
}

void StreamCorrector::anticipate(std::byte* state) {
  const FlushDenormals flush;
  bind(state);
  if (sound_) corrector_.anticipate(seen(), z_, memory(state));
}

StepReport StreamCorrector::correct(std::byte* state, const Objective& objective, const Budget& budget,
                                    std::span<float> output) {
  const FlushDenormals flush;
  const double begun = now_micros();
  bind(state);
  if (!sound_) {
    StepReport refused;
    refused.stop = Stop::singular;
    refused.metric = corrector_.metric();
    return refused;
  }
  Budget left = budget;
  const double bound = now_micros() - begun;
  if (budget.clock == Budget::Clock::wall) left.limit -= bound;
  if (persistent_) persistent_->to_inner(z_, point_);
  if (fade_ > 0) stack_.latents_from_state(before_);
  StepReport report = corrector_.correct(seen(), objective, left, z_, y_, memory(state));
  report.micros[static_cast<int>(Stage::score)] += bound;
  if (persistent_) persistent_->notice(objective, y_, report);

  // the only write to the state; a correction that was refused leaves it as it is, bit for bit
  const double committing = now_micros();
  commit(state, objective, report, output);
  bound_ = false;
  const double now = now_micros();
  report.micros[static_cast<int>(Stage::commit)] += now - committing;
  report.elapsed = now - begun;
  report.overrun = budget.overrun(report.elapsed);
  overruns_ += report.overrun > 0 ? 1 : 0;
  return report;
}

void StreamCorrector::commit(std::byte* state, const Objective& objective, const StepReport& report,
                             std::span<float> output) {
  const bool agrees = report.stop == Stop::converged || report.stop == Stop::zero_gradient;
  if (report.accepted == 0 && agrees && persistent_) {
    persistent_->absorb(objective, y_, 1.0);  // an observation that agrees makes c more certain
  }
  if (report.accepted == 0) return;
  take(state, objective, report);
  for (int i = 0, z = stack_.latents() - coordinate_count_; fade_ > 0 && i < z; ++i) {
    fading(state)[i] += z_[i] - before_[i];
  }
  stack_.output(z_, output_);  // all outputs of what was committed, also those that no objective sees
  publish(output);
}

void StreamCorrector::publish(std::span<float> output) const {
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<float>(output_[i]);
}

// what was accepted becomes the state
void StreamCorrector::take(std::byte* state, const Objective& objective, const StepReport& report) {
  if (persistent_) {
    // the curvature where derivatives were taken; point_ is that of a single micro-step
    stack_.output(point_, at_point_);
    persistent_->to_inner(z_, point_);
    persistent_->absorb(objective, at_point_, report.alpha);
    std::memcpy(z_.data(), point_.data(), sizeof(double) * z_.size());
  }
  stack_.commit(z_);
  const int z = stack_.latents() - coordinate_count_;
  for (int i = 0; i < coordinate_count_; ++i) c(state)[i] = z_[z + i];
}

}  // namespace elastane
