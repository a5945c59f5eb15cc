// One correction under way: a list of moves over the corrector's arrays. correction_run.cpp says what they compute;
// correction_run_allocate.cpp holds those that decide whether to continue, correction_run_trial.cpp those that try a
// step. A move that ends the correction says why.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "elastane/core/base/clock.h"
#include "elastane/core/corrector/correction_cost.h"
#include "elastane/core/corrector/corrector.h"
#include "elastane/core/corrector/corrector_parts.h"
#include "elastane/core/corrector/point_pullback.h"

namespace elastane {

// for reports: 0 where the value is not finite
inline double known(double value) { return std::isfinite(value) ? value : 0.0; }

// the arrays are inherited, so that z, g, v … are called by their own names
class CorrectionRun : private CorrectionArrays {
 public:
  CorrectionRun(Corrector& corrector, LatentModel& model, const Objective& objective, const Budget& budget,
                double* memory)
      : CorrectionArrays(corrector.parts_->arrays),
        options_(corrector.options_),
        geometry_(corrector.parts_->geometry),
        gatekeeper_(corrector.parts_->gatekeeper),
        micro_step_time_(corrector.parts_->micro_step_time),
        trial_time_(corrector.parts_->trial_time),
        anticipated_(corrector.parts_->anticipated),
        most_depth_(corrector.most_depth()),
        model_(model),
        objective_(objective),
        budget_(budget),
        latent_cost_(model.cost()),
        cost_(options_, geometry_, latent_cost_),
        radius_(memory[0]),
        gate_memory_(memory + corrector.gate_offset()),
        pullback_(model, &objective, output(y)),
        begun_(now_micros()),
        marked_(begun_) {}

  StepReport run(std::span<const double> proposal);
  bool was_read() const { return !deferred_; }  // z and y are in the arrays

 private:
  enum class Next : std::uint8_t { proceed, stop };

  // correction_run.cpp
  Next begin(std::span<const double> proposal);
  bool is_known();
  void read_point(std::span<const double> proposal);
  Next refine(std::span<const double> proposal);
  bool is_local() const;
  Next micro_step();
  void look_ahead();
  Next score();
  Next solve();
  bool solve_direction();
  Next agree(Stop why);
  void finish();
  void push(double* direction, double* jv);           // J v
  void pull(double* weights, double* jts, Stage at);  // Jᵀs
  // correction_run_allocate.cpp
  Next allocate();
  Next ask_gate();
  Next cut();
  bool affords(double macs, double micros) const;
  GateView seen() const;
  void remember();
  // correction_run_trial.cpp
  Next model_loss();
  void add_rollout();
  Next choose();
  Next local_step();
  Next try_lengths(double alpha, bool capped);
  Next check_promise(double alpha);
  bool time_for_trial(int trial_number);
  bool try_length(double alpha);
  bool is_admissible() const;
  void drift();
  void retract(double alpha);
  void accept(double alpha);
  double horizon_loss(double now, ConstDoubleRows later) const;
  double violation(double* now, ConstDoubleRows later) const;

  bool is_literal() const { return geometry_.kind() == Metric::literal; }
  bool is_kalman() const { return geometry_.kind() == Metric::kalman; }
  // does G hold the whole curvature along v, prior included, so that ‖v‖² = κ?
  bool is_whole() const { return is_kalman() || geometry_.kind() == Metric::native; }
  // is G's own scale the step's?
  bool trusts_metric() const { return options_.trust.length == StepLength::fixed; }

  std::span<double> latent(double* at) const { return span_of(at, latents); }
  std::span<double> output(double* at) const { return span_of(at, outputs); }
  DoubleRows latent_row(double* at) const { return {at, 1, double_stride(latents)}; }
  DoubleRows output_row(double* at) const { return {at, 1, double_stride(outputs)}; }
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

  // the corrector's
  const CorrectorOptions& options_;
  Geometry& geometry_;
  Gatekeeper& gatekeeper_;
  TimeEstimate &micro_step_time_, &trial_time_;
  const bool anticipated_;
  const int most_depth_;  // K_max
  // the call's
  LatentModel& model_;
  const Objective& objective_;
  const Budget& budget_;
  const LatentCost latent_cost_;
  const CorrectionCost cost_;
  double& radius_;  // ρ
  double* gate_memory_;
  PointPullback pullback_;

  StepReport report_;
  double begun_, marked_, spent_ = 0;       // µs, µs, multiply-adds
  bool observed_ = false, solved_ = false;  // is ℓ known, and are κ and g?
  bool deferred_ = false;                   // z was not read yet: the model knows its loss
  KnownPoint known_;
  double loss_ = 0, horizon_ = 0;                // ℓ and Σγʰℓ_h at the point
  double violation_ = 0;                         // at the point and along its rollout
  double squares_ = 0;                           // ‖g‖²
  double slope_ = 0, curvature_ = 0, norm_ = 0;  // m′, q and ‖v‖ of the direction
  double tried_loss_ = 0, tried_horizon_ = 0;    // ℓ and Σγʰℓ_h at the trial
};

}  // namespace elastane
