// Receding-horizon control: at every step, a few iLQR sweeps improve the last plan, shifted by one step, and its first
// control is applied.
//
//   Mpc mpc({.horizon = 8}, system.states(), system.controls());
//   for (;;) apply(mpc.plan(system, cost, observed_state()));
#pragma once

#include <span>

#include "elastane/planners/ilqr.h"

namespace elastane::planners {

struct MpcOptions {
  int horizon = 8;               // H; GeoSSM has 3 and 8
  int sweeps = 3;                // per step, at most
  double regularisation = 1e-4;  // λ
};
Status validate(const MpcOptions& options);

class Mpc {
 public:
  Mpc(const MpcOptions& options, int states, int controls);

  const MpcOptions& options() const { return options_; }

  // forgets the plan: the next one starts from zero controls
  void reset();
  // the next plan starts from these, [H][m], without a shift
  void start_from(ConstDoubleRows controls);

  // the control to apply now, u_0; does not allocate
  std::span<const double> plan(const Dynamics& dynamics, const StageCost& cost, std::span<const double> x);

  const Matrix& controls() const { return controls_; }     // of the last plan: u_0 … u_{H−1}
  const Matrix& states() const { return ilqr_.states(); }  // x_0 … x_H
  const IlqrReport& report() const { return report_; }

 private:
  MpcOptions options_;
  Ilqr ilqr_;
  Matrix controls_;
  bool fresh_ = true;  // the plan starts now, not one step ago
  IlqrReport report_;
};

}  // namespace elastane::planners
