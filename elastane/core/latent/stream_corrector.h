// How a stream corrects itself: its network as a latent model, the corrector, and what both keep in the stream's state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/latent/neural_stack.h"
#include "elastane/core/latent/persistent.h"

namespace elastane {

struct LatentOptions {
  bool top_block_only = false;  // z is the top recurrent block's state, not all of them
  int judged = 0;               // outputs that objectives see and judge, the first so many; 0: all
  // The share of what corrections made of z that every step takes back. A correction by an observation is information
  // and may stay; one by a task says what is wanted now, and would wear out what the latent remembers
  // (docs/decisions/0014). To first order, through the step's own derivative
  double fade = 0;
  PersistentOptions persistent;  // coordinates that last, beside z
};

// Is the stack bound to the state of the step that was taken last? Not in a copy, and not where it was moved to: the
// stack there still looks at the state it came from.
class BoundFlag {
 public:
  BoundFlag() = default;
  BoundFlag(const BoundFlag&) {}
  BoundFlag& operator=(const BoundFlag&) { return *this = false; }
  BoundFlag& operator=(bool bound) {
    bound_ = bound;
    return *this;
  }
  operator bool() const { return bound_; }

 private:
  bool bound_ = false;
};

class StreamCorrector {
 public:
  StreamCorrector(const Model& model, const CorrectorOptions& options, const LatentOptions& latent,
                  const LearnedGate& gate = {});

  // What it keeps behind the network's state: all doubles, so that it is sound if they are finite.
  //   step        length of the last step                                  [1]
  //   input       x̂ of the last step, which rollouts hold                  [inputs]
  //   fading      what corrections made of z, unless they stay             [carried]
  //   persistent  c, its covariance, the sensitivity                       persistent.h
  //   memory      the corrector's: radius, metric, gate                    geometry.h, gatekeeper.h
  std::size_t state_doubles() const;
  void reset(std::byte* state);
  void restart(std::byte* state);  // z begins anew; c, what is known of it, and the corrector's memory stay
  std::uint64_t fingerprint() const { return fingerprint_; }  // of whatever decides what those doubles mean

  // around a step: what it begins at; what it was given, and, where something is carried along, its derivatives
  void before_step(const std::byte* state);
  void after_step(std::byte* state, const float* normalised, float dt, std::span<float> output);
  // do steps need to be seen one by one?
  bool carries() const { return persistent_.has_value() || kalman_ || fade_ > 0; }

  void anticipate(std::byte* state);
  StepReport correct(std::byte* state, const Objective& objective, const Budget& budget, std::span<float> output);
  void forget() {  // the state has changed under it
    bound_ = false;
    corrector_.forget();
  }

  const Corrector& corrector() const { return corrector_; }
  const NeuralStack<float>& stack() const { return stack_; }
  std::span<const double> persistent(const std::byte* state) const;  // c
  std::uint64_t overruns() const { return overruns_; }               // corrections that took longer than their budget
  std::int64_t micro_step_macs() const {
    return corrector_.micro_step_macs(persistent_ ? persistent_->cost_over(stack_) : stack_.cost());
  }

 private:
  // how the covariance moves on with a step
  enum class Dynamics : std::uint8_t { diagonal, pairs, dense };

  std::uint64_t make_fingerprint() const;
  void bind(std::byte* state);
  LatentModel& seen() { return persistent_ ? static_cast<LatentModel&>(*persistent_) : stack_; }
  void carry_sensitivity();
  bool is_fading(const std::byte* state) const;
  void fade(std::byte* state, std::span<float> output);
  void carry_covariance();
  void start_covariance();
  void take(std::byte* state, const Objective& objective, const StepReport& report);
  double* own(const std::byte* state) const {
    return reinterpret_cast<double*>(const_cast<std::byte*>(state) + network_bytes_);
  }
  // where what persists begins; c itself lies behind its surprise, unless the covariance covers it
  double* fading(const std::byte* state) const { return own(state) + kDoubleLane + double_stride(inputs_); }
  double* coordinates(const std::byte* state) const { return fading(state) + fading_doubles_; }
  double* c(const std::byte* state) const { return coordinates(state) + (persistent_ ? double_stride(1) : 0); }
  double* memory(const std::byte* state) const { return coordinates(state) + coordinate_doubles_; }

  std::size_t network_bytes_;
  int inputs_;  // of x̂, mask included
  NeuralStack<float> stack_;
  int coordinate_count_;  // n
  int moving_;            // of those, how many enter the dynamics: the last ones
  bool kalman_;
  double fade_;
  std::size_t fading_doubles_;
  Dynamics dynamics_ = Dynamics::dense;
  std::optional<PersistentLatent> persistent_;  // unless the covariance covers c too
  std::size_t coordinate_doubles_ = 0;
  PersistentOptions persistent_options_;
  Corrector corrector_;
  BoundFlag bound_;
  bool sound_ = true;  // is the coordinates' covariance one?
  std::uint64_t overruns_ = 0, fingerprint_ = 0;

  //                                         meaning                           shape            written by
  std::vector<float> input_;              // x̂                                 [inputs]         bind
  std::vector<double> z_;                 // [z | c], or (ζ, ĉ)                [d]              bind, correct
  std::vector<double> y_;                 // what is judged                    [m]              correct
  std::vector<double> output_;            // all of y                          [outputs]        correct, after_step
  std::vector<double> at_point_;          // y there                           [m]              take
  std::vector<double> point_;             // [z | c] at which derivatives are  [d]              take
  std::vector<double> before_;            // [z | c] before a correction       [d]              correct
  std::vector<double> noise_;             // Q's diagonal                      [d]              setup
  std::vector<double> columns_;           // tangents before a step and after  [2·16][carried]  carry
  std::vector<double> dynamics_columns_;  // F and scratch                     [2·d][d]         carry
};

}  // namespace elastane
