// A gate at work: what it looks at, what it remembers, and the two moments of a step at which it is called.
//
//   ask        K, from what the step shows
//   remember   after the step: what it came to
//
// What it looks at, all bounded:
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

// what a step shows; κ and the gradient only where they are known already
struct GateView {
  double loss = 0;
  bool solved = false;
  double kappa = 0, gradient_squares = 0;  // κ, ‖g‖²
  std::span<const double> z;               // the proposal
  std::span<const double> added;           // by the latent model
};

class Gatekeeper {
 public:
  Gatekeeper() = default;
  // sizes and ranges are checked by validate
  Gatekeeper(const GateOptions& options, int latents, const LearnedGate& learned);

  bool is_asked() const { return decides_once(options_.kind); }
  bool is_asked_after(GateInput sight) const { return is_asked() && options_.sees == sight; }
  const GateOptions& options() const { return options_; }
  std::int64_t macs() const;  // of one question: the network, and how far z has moved

  // what survives a step: all doubles, in the corrector's memory; none unless it is asked
  std::size_t memory_doubles() const;
  void reset(double* memory) const;
  void restart(double* memory) const;  // another run: the latent before means nothing

  int ask(const GateView& now, double* memory);
  // z: what was committed; `now` as asked, or what became known since
  void remember(const GateView& now, int depth, std::span<const double> z, double* memory) const;

  void forget() { count_ = 0; }  // a step begins: nothing was asked yet
  // as it was asked in this step, or none if it was not: what lessons are made of
  std::span<const double> features() const { return {work_.data(), static_cast<std::size_t>(count_)}; }

 private:
  // the first doubles of the memory; the latent before follows
  struct History {
    double steps;         // observed so far
    double mean;          // of log ℓ
    double variance;      // of log ℓ
    double depth;         // K of the step before
    double log_kappa;     // last known
    double log_gradient;  // last known
    double threshold;     // followed
    double has_latent;    // 1: the latent before is one
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
