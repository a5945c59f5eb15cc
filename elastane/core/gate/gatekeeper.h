// A gate in use: its features, its memory, and the two moments of a step at which it is called.
//
//   ask        K, from the features of the step
//   remember   after the step: what became of it
//
// Its features, all bounded:
//   0  log ℓ                       4  running mean of log ℓ
//   1  log κ                       5  how many deviations log ℓ is above it
//   2  log ‖g‖                     6  K of the step before
//   3  log rms(z⁰ − z before)      7… what the latent model adds
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/allocation/quantile_threshold.h"
#include "elastane/core/gate/learned_gate.h"

namespace elastane {

// what the gate sees of a step; κ and the gradient only if they are known already
struct GateView {
  double loss = 0;
  bool solved = false;
  double kappa = 0, gradient_squares = 0;  // κ, ‖g‖²
  std::span<const double> z;               // the proposal; empty where `moved` is known
  double moved = -1;                       // Σ(z − z before)²; below 0: not known
  std::span<const double> added;           // by the latent model
};

class Gatekeeper {
 public:
  Gatekeeper() = default;
  // sizes and ranges are checked by validate
  Gatekeeper(const GateOptions& options, int latents, const LearnedGate& learned);

  bool is_asked() const { return decides_once(options_.kind); }
  bool is_asked_after(GateInput input) const { return is_asked() && options_.sees == input; }
  const GateOptions& options() const { return options_; }
  std::int64_t macs(bool moved_is_known = false) const;  // of one decision: the network, and how far z has moved

  // what survives a step: doubles in the corrector's memory; none if the gate is never asked
  std::size_t memory_doubles() const;
  void reset(double* memory) const;
  void restart(double* memory) const;  // another run: the previous latent no longer counts

  int ask(const GateView& now, double* memory);
  // z: what was committed; `now`: as in ask, or with what became known since
  void remember(const GateView& now, int depth, std::span<const double> z, double* memory) const;

  void forget() { count_ = 0; }  // a step begins: the gate was not asked yet
  // the features with which it was asked in this step, or none; training examples are made of them
  std::span<const double> features() const { return {work_.data(), static_cast<std::size_t>(count_)}; }

 private:
  // the first doubles of the memory; the previous latent follows
  struct History {
    double steps;         // observed so far
    double mean;          // of log ℓ
    double variance;      // of log ℓ
    double depth;         // K of the step before
    double log_kappa;     // last known
    double log_gradient;  // last known
    double threshold;     // followed
    double has_latent;    // 1: there is a previous latent
  };
  static History& history(double* memory) { return *reinterpret_cast<History*>(memory); }
  void look(const GateView& now, const History& past, const double* before);
  int decide(const GateView& now, History& past);
  int draw(const History& past) const;

  GateOptions options_;
  LearnedGate learned_;
  int latents_ = 0, count_ = 0;  // of the latent; of features
  QuantileThreshold threshold_;  // of urgency
  std::vector<double> work_;     // features, hidden, scores
};

}  // namespace elastane
