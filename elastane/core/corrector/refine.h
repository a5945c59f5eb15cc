// One correction under way: the moves of refine.cpp, which says what they come to; trial.cpp and allocate.cpp hold
// those that try a step and those that decide whether to take one. A move that ends the correction says why.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "elastane/core/base/clock.h"
#include "elastane/core/corrector/corrector.h"
#include "elastane/core/corrector/point_pullback.h"

namespace elastane {

// for reports: 0 where it is no number
inline double known(double value) { return std::isfinite(value) ? value : 0.0; }

class Corrector::Move {
 public:
  Move(Corrector& c, LatentModel& model, const Objective& objective, const Budget& budget, double* memory)
      : c_(c),
        model_(model),
        objective_(objective),
        budget_(budget),
        cost_(model.cost()),
        radius_(memory[0]),
        gate_memory_(memory + c.gate_offset()),
        d_(c.latents_),
        m_(c.outputs_),
        pullback_(model, &objective, output(c.y_)),
        begun_(now_micros()),
        marked_(begun_) {}

  StepReport run(std::span<const double> z);

 private:
  enum class Next : std::uint8_t { go_on, stop };

  Next begin(std::span<const double> z);
  // allocate.cpp
  Next allocate();
  Next ask_gate();
  Next cut();
  GateView seen() const;
  void remember();
  // refine.cpp
  Next micro_step();
  void look_ahead();
  Next score();
  Next solve();
  // trial.cpp
  Next model_loss();
  Next try_lengths(double alpha, bool capped);
  bool try_length(double alpha);
  bool is_admissible() const;
  void drift();
  void retract(double alpha);
  void accept(double alpha);
  // refine.cpp
  Next agree(Stop why);
  void finish();

  void push(double* v, double* jv);                // J v
  void pull(double* s, double* jts, Stage stage);  // Jᵀs
  bool affords(double macs, double micros) const;
  double horizon_loss(double now, ConstDoubleRows ahead) const;
  bool is_literal() const { return c_.geometry_.kind() == Metric::literal; }
  bool is_kalman() const { return c_.geometry_.kind() == Metric::kalman; }
  // does G hold the whole curvature along v, prior included, so that ‖v‖² = κ?
  bool is_whole() const { return is_kalman() || c_.geometry_.kind() == Metric::native; }
  // is G's own scale the step's?
  bool trusts_metric() const { return c_.options_.trust.length == StepLength::fixed; }

  std::span<double> latent(double* at) const { return {at, static_cast<std::size_t>(d_)}; }
  std::span<double> output(double* at) const { return {at, static_cast<std::size_t>(m_)}; }
  DoubleRows as_row(double* at, int n) const { return {at, 1, double_stride(n)}; }
  Next stop(Stop why) {
    report_.stop = why;
    return Next::stop;
  }
  void charge(Stage stage, std::int64_t macs) {
    report_.macs[static_cast<int>(stage)] += macs;
    spent_ += static_cast<double>(macs);
  }
  void mark(Stage stage) {
    const double t = now_micros();
    report_.micros[static_cast<int>(stage)] += t - marked_;
    marked_ = t;
  }

  Corrector& c_;
  LatentModel& model_;
  const Objective& objective_;
  const Budget& budget_;
  const LatentCost cost_;
  double& radius_;
  double* gate_memory_;
  const int d_, m_;
  PointPullback pullback_;
  StepReport report_;
  double begun_, marked_, spent_ = 0;
  bool observed_ = false, solved_ = false;  // is ℓ known, and are κ and g?

  double loss_ = 0, horizon_ = 0;                // ℓ and Σγʰℓ_h at the point
  double squares_ = 0;                           // ‖g‖²
  double slope_ = 0, curvature_ = 0, norm_ = 0;  // m′, q and ‖v‖ of the direction
  double tried_loss_ = 0, tried_horizon_ = 0;    // ℓ and Σγʰℓ_h at the trial
};

}  // namespace elastane
