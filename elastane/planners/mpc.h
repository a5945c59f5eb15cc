// Receding-horizon control: every step some iLQR sweeps from the last plan, shifted by one, of which the first control
// is used.
//
//   Mpc mpc({.horizon = 8}, system.states(), system.controls());
//   for (;;) apply(mpc.plan(system, cost, observed_state()));
#pragma once

#include <span>

#include "elastane/planners/ilqr.h"

namespace elastane::planners {

struct MpcOptions {
  int horizon = 8;               // H; the source has 3 and 8
  int sweeps = 3;                // a step, at most
  double regularisation = 1e-4;  // λ
};
Status validate(const MpcOptions& options);

class Mpc {
 public:
  Mpc(const MpcOptions& options, int states, int controls);

  const MpcOptions& options() const { return options_; }

  // forgets its plan: the next one begins with controls of zero
  void reset();
  // or with these, [H][m]; they are not shifted
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
  bool fresh_ = true;  // the plan begins now, not one step ago
  IlqrReport report_;
};

}  // namespace elastane::planners
