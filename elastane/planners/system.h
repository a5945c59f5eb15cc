// What a planner needs: the dynamics of a system in discrete time, and the cost of its trajectory.
//
// Planners call both in real time, so they should not allocate. Matrices are passed as rows: a[i][j].
#pragma once

#include <span>

#include "elastane/core/base/view.h"

namespace elastane::planners {

class Dynamics {
 public:
  virtual int states() const = 0;    // n
  virtual int controls() const = 0;  // m

  // x⁺ = f(x, u)
  virtual void step(std::span<const double> x, std::span<const double> u, std::span<double> next) const = 0;
  // A = ∂f/∂x [n][n] and B = ∂f/∂u [n][m], initialised to zero by the caller
  virtual void linearise(std::span<const double> x, std::span<const double> u, DoubleRows a, DoubleRows b) const = 0;

 protected:
  ~Dynamics() = default;  // never owned through this interface
};

// a cost around a point, to second order; initialised to zero, so only other entries have to be written
struct CostExpansion {
  std::span<double> x, u;  // gradients                                          [n], [m]
  DoubleRows xx, ux, uu;   // Hessians, positive semi-definite as a whole         [n][n], [m][n], [m][m]
};

class StageCost {
 public:
  // Cost of step h from now. At the end of the horizon, h = H, there is no control and u is empty.
  virtual double value(int h, std::span<const double> x, std::span<const double> u) const = 0;
  // For a cost ½Σr², the Hessians are Gauss–Newton's, RᵀR. At the end only x and xx are needed.
  virtual void expand(int h, std::span<const double> x, std::span<const double> u, const CostExpansion& to) const = 0;

 protected:
  ~StageCost() = default;
};

}  // namespace elastane::planners
