// iLQR: improves a plan of controls by sweeps, each a Riccati recursion around the plan and a line search.
//
//   Ilqr planner({.horizon = 3}, system.states(), system.controls());
//   planners::Matrix plan(3, system.controls());
//   IlqrReport report = planner.improve(system, cost, x, plan.view());
//
// Tassa, Erez, Todorov 2012, "Synthesis and stabilization of complex behaviors through online trajectory optimization";
// Li, Todorov 2004. The defaults, one sweep over three steps with three step lengths, are GeoSSM's baseline "iLQR-lite".
#pragma once

#include <span>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/math/kernels.h"
#include "elastane/planners/matrix.h"
#include "elastane/planners/system.h"

namespace elastane::planners {

struct IlqrOptions {
  int horizon = 3;               // H
  int sweeps = 1;                // at most
  double regularisation = 1e-4;  // λ, added to Q_uu; GeoSSM's grid is 1e-6, 1e-4, 1e-2
};
Status validate(const IlqrOptions& options);

struct IlqrReport {
  double cost_before = 0, cost_after = 0;
  int sweeps = 0;          // started
  int accepted = 0;        // of those
  double alpha = 0;        // step length of the last accepted sweep
  bool converged = false;  // no further decrease is possible
};

class Ilqr {
 public:
  // sizes the workspace; planning does not allocate
  Ilqr(const IlqrOptions& options, int states, int controls);

  const IlqrOptions& options() const { return options_; }

  // controls: u_0 … u_{H−1}, [H][m], replaced if that lowers the cost. A cost of NaN is never accepted.
  IlqrReport improve(const Dynamics& dynamics, const StageCost& cost, std::span<const double> x, DoubleRows controls);

  // of the last plan: x_0 … x_H, [H + 1][n]
  const Matrix& states() const { return states_; }
  // of the last sweep: u = u_h + α k_h + K_h (x − x_h)
  const Matrix& feedback(int h) const { return feedback_[static_cast<std::size_t>(h)]; }  // K_h   [m][n]
  std::span<const double> feedforward(int h) const { return feedforward_.row(h); }        // k_h   [m]

 private:
  double roll_out(const Dynamics& dynamics, const StageCost& cost, std::span<const double> x, ConstDoubleRows controls);
  double try_length(const Dynamics& dynamics, const StageCost& cost, ConstDoubleRows controls, double alpha);
  bool sweep_back(const Dynamics& dynamics, const StageCost& cost, ConstDoubleRows controls);
  void expand(const StageCost& cost, int h, std::span<const double> u);
  void pull_back();
  bool solve_gains(int h);
  void add_gain_to_value(int h);

  IlqrOptions options_;
  int n_, m_;
  const Kernels* kernels_;
  double lambda_ = 0;            // of this sweep
  double slope_ = 0, bend_ = 0;  // of the cost along the last sweep: αΣkᵀQ_u + ½α²ΣkᵀQ_uu k

  //                                        meaning                              shape           written by
  Matrix states_;                        // x_h along the plan                   [H + 1][n]      roll_out
  Matrix tried_states_;                  // the same, of a trial                 [H + 1][n]      try_length
  Matrix tried_controls_;                // u_h of a trial                       [H][m]          try_length
  std::vector<Matrix> feedback_;         // K_h                                  H × [m][n]      solve_gains
  Matrix feedforward_;                   // k_h                                  [H][m]          solve_gains
  Matrix a_, b_;                         // ∂f/∂x, ∂f/∂u                         [n][n], [n][m]  sweep_back
  std::vector<double> q_x_, q_u_;        // gradient of cost plus cost-to-go     [n], [m]        pull_back
  Matrix q_xx_, q_ux_, q_uu_;            // and its Hessian                      [n][n] …        pull_back
  std::vector<double> v_x_;              // gradient of the cost-to-go           [n]             add_gain_to_value
  Matrix v_xx_;                          // and its Hessian                      [n][n]          add_gain_to_value
  Matrix factor_;                        // Cholesky factor of Q_uu + λI         [m][m]          solve_gains
  Matrix va_, vb_, qk_;                  // intermediate products                [n][n], [n][m], [m][n]
  std::vector<double> offset_, column_;  // x − x_h; a column of K               [n], [m]
};

}  // namespace elastane::planners
