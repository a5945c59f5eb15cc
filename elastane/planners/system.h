// What is planned for: a system that goes from step to step, and what its way costs.
//
// Both are called within a planner's time, so they should not allocate. Matrices come as rows: a[i][j].
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
  // A = ∂f/∂x [n][n] and B = ∂f/∂u [n][m], which hold zeros when it is called
  virtual void linearise(std::span<const double> x, std::span<const double> u, DoubleRows a, DoubleRows b) const = 0;

 protected:
  ~Dynamics() = default;  // never owned through this interface
};

// a cost around a point, to second order; all zeros when it is handed out, so that only what is not has to be written
struct CostExpansion {
  std::span<double> x, u;  // gradients                                          [n], [m]
  DoubleRows xx, ux, uu;   // Hessians, positive semi-definite as a whole         [n][n], [m][n], [m][m]
};

class StageCost {
 public:
  // Of step h from now. At the horizon's end, h = H, nothing is done any more and u is empty.
  virtual double value(int h, std::span<const double> x, std::span<const double> u) const = 0;
  // Of a cost ½Σr² the Hessians are those of Gauss and Newton, RᵀR. At the end only x and xx are asked for.
  virtual void expand(int h, std::span<const double> x, std::span<const double> u, const CostExpansion& to) const = 0;

 protected:
  ~StageCost() = default;
};

}  // namespace elastane::planners
