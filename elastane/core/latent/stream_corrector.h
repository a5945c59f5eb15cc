// How a stream corrects itself: its network as a latent model, the corrector, and what both keep in the stream's state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/latent/latent_options.h"
#include "elastane/core/latent/neural_stack.h"
#include "elastane/core/latent/persistent.h"

namespace elastane {

// Is the stack bound to the state of the last step? Copies and moves reset it: their stack still refers to the state of
// the original.
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
  static constexpr int kTangents = 16;  // directions that go through a step together

  StreamCorrector(const Model& model, const CorrectorOptions& options, const LatentOptions& latent,
                  const LearnedGate& gate = {});

  // What it keeps behind the network's state: all doubles, so that it is valid if they are finite.
  //   step        length of the last step                                  [1]
  //   input       x̂ of the last step, which rollouts hold                  [inputs]
  //   fading      how far corrections moved z, where they fade             [carried]
  //   persistent  c, its covariance, the sensitivity                       persistent.h
  //   memory      the corrector's: radius, metric, gate                    geometry.h, gatekeeper.h
  std::size_t state_doubles() const;
  void reset(std::byte* state);
  void restart(std::byte* state);  // z starts again; c, its covariance and the corrector's memory stay
  std::uint64_t fingerprint() const { return fingerprint_; }  // of all that decides what those doubles mean

  // around a step: remembers where it begins and its input; carries along what needs the step's derivatives
  void before_step(const std::byte* state);
  void after_step(std::byte* state, const float* normalised, float dt, std::span<float> output);
  // must steps be taken one by one?
  bool carries() const { return persistent_.has_value() || kalman_ || fade_ > 0; }

  void anticipate(std::byte* state);
  StepReport correct(std::byte* state, const Objective& objective, const Budget& budget, std::span<float> output);
  void forget() {  // the state was changed from outside
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
  // the form of F in P ← FPFᵀ + Q
  enum class Dynamics : std::uint8_t { diagonal, pairs, dense };

  std::uint64_t make_fingerprint() const;
  Dynamics choose_dynamics(const Model& model) const;
  void prepare_covariance(const Model& model, double process_noise);
  void bind(std::byte* state);
  LatentModel& seen() { return persistent_ ? static_cast<LatentModel&>(*persistent_) : stack_; }
  void carry_sensitivity();
  bool is_fading(const std::byte* state) const;
  void fade(std::byte* state, std::span<float> output);
  void carry_covariance();
  void start_covariance();
  std::span<const double> push_ones(int count);
  void push_units(DoubleRows f);
  void commit(std::byte* state, const Objective& objective, const StepReport& report, std::span<float> output);
  void take(std::byte* state, const Objective& objective, const StepReport& report);
  void publish(std::span<float> output) const;

  // of a step: those before it, and those after
  struct Tangents {
    DoubleRows before, after;
  };
  Tangents tangents(int count);

  double* own(const std::byte* state) const {
    return reinterpret_cast<double*>(const_cast<std::byte*>(state) + network_bytes_);
  }
  // the parts of what it keeps, in the order above; c follows its surprise, unless the kalman metric covers c
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
  std::optional<PersistentLatent> persistent_;  // unless the kalman metric covers c
  std::size_t coordinate_doubles_ = 0;
  PersistentOptions persistent_options_;
  Corrector corrector_;
  BoundFlag bound_;
  bool sound_ = true;  // could the covariance of c be factorised?
  std::uint64_t overruns_ = 0, fingerprint_ = 0;

  //                                      meaning                           shape            written by
  std::vector<float> input_;           // x̂                                 [inputs]         bind
  std::vector<double> z_;              // [z | c], or (ζ, ĉ)                [d]              bind, correct
  std::vector<double> y_;              // the outputs that are judged       [m]              correct
  std::vector<double> output_;         // all of y                          [outputs]        commit, after_step
  std::vector<double> at_point_;       // y at the point                    [m]              take
  std::vector<double> point_;          // [z | c] where derivatives are     [d]              correct, take
  std::vector<double> before_;         // [z | c] before a correction       [d]              correct
  std::vector<double> noise_;          // Q's diagonal                      [d]              set-up
  std::vector<double> tangent_rows_;   // tangents before a step and after  [2·16][carried]  carry_…, fade
  std::vector<double> dynamics_rows_;  // columns of F, and scratch         [2·d][d]         carry_covariance
};

}  // namespace elastane
