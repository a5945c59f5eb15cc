// RMPflow: combines motion policies into one acceleration. Each has its own task space, and a metric for its importance.
//
//   pullback   M += Jᵀ M_i J,   f += Jᵀ(f_i − M_i J̇q̇)        over leaves x_i = φ_i(q)
//   resolve    q̈ = M⁺ f                                      at the root
//
//   RmpFlow flow({}, 2, 2);
//   flow.begin(q, velocity);
//   flow.add(IdentityMap(2), GoalAttractor(goal));
//   for (const Disc& disc : discs) flow.add(DistanceMap(disc.centre, disc.radius), ObstacleRepulsion());
//   flow.resolve(acceleration);
//
// Cheng, Mukadam, Issac, Birchfield, Fox, Boots, Ratliff 2018, "RMPflow: a computational graph for automatic motion
// policy generation". Ready leaves: rmp_leaves.h.
#pragma once

#include <span>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/math/kernels.h"
#include "elastane/planners/matrix.h"

namespace elastane::planners {

// x = φ(q)
class TaskMap {
 public:
  virtual int tasks() const = 0;  // k

  // x, J = ∂φ/∂q [k][d], and the curvature J̇q̇, all initialised to zero by the caller
  virtual void map(std::span<const double> q, std::span<const double> velocity, std::span<double> x,
                   DoubleRows jacobian, std::span<double> curvature) const = 0;

 protected:
  ~TaskMap() = default;  // never owned through this interface
};

// a policy in a task space, in natural form: a metric M and a force f = M a, where a is the desired acceleration
class MotionPolicy {
 public:
  // M ⪰ 0 [k][k] and f [k], initialised to zero by the caller
  virtual void evaluate(std::span<const double> x, std::span<const double> velocity, DoubleRows metric,
                        std::span<double> force) const = 0;

 protected:
  ~MotionPolicy() = default;
};

struct RmpFlowOptions {
  double damping = 0;      // δ: q̈ = (M + δI)⁻¹f; 0: the pseudo-inverse
  double cut_off = 1e-12;  // eigenvalues of M below this share of the largest count as 0
};
Status validate(const RmpFlowOptions& options);

class RmpFlow {
 public:
  // d coordinates, and leaves of at most `widest` tasks. Nothing allocates after this.
  RmpFlow(const RmpFlowOptions& options, int coordinates, int widest);

  // starts at this state, without leaves
  void begin(std::span<const double> q, std::span<const double> velocity);
  // adds a leaf, or the result of a subtree; false, without adding it, if it has more tasks than `widest` or is not finite
  bool add(const TaskMap& map, const MotionPolicy& policy);
  // q̈; zeros and false if there is nothing to resolve
  bool resolve(std::span<double> acceleration);

  // at the root, so far
  const Matrix& metric() const { return metric_; }
  std::span<const double> force() const { return force_; }

 private:
  RmpFlowOptions options_;
  int d_, widest_;
  const Kernels* kernels_;

  //                                        meaning                     shape     written by
  std::vector<double> q_, velocity_;      // the state                  [d]       begin
  Matrix metric_;                         // M                          [d][d]    add
  std::vector<double> force_;             // f                          [d]       add
  std::vector<double> x_, x_velocity_;    // of a leaf                  [k]       add
  std::vector<double> curvature_, pull_;  // J̇q̇; f_i, then f_i − M_i J̇q̇ [k]       add
  Matrix jacobian_, leaf_metric_, mj_;    // J, M_i, M_i J              [k][d] …  add
  Matrix system_, vectors_;               // M + δI; its eigenvectors   [d][d]    resolve
  std::vector<double> values_;            // its eigenvalues            [d]       resolve
};

}  // namespace elastane::planners
