// What the corrector needs of a model: a latent z, outputs y = g(z), their derivatives, and frozen steps ahead.
//
// A neural stack is one (neural_stack.h); a structured latent (a Kalman state, a plan, a value map) is another and uses
// the same loop unchanged. Everything is in double, one row per direction; calls are made once per stage, never once
// per element. Nothing here may allocate, throw, lock or call the system.
#pragma once

#include <cstdint>
#include <span>

#include "elastane/core/base/view.h"
#include "elastane/core/objective/objective.h"

namespace elastane {

// counted multiply-adds of one call; of derivatives, per direction
struct LatentCost {
  std::int64_t read = 0, jvp = 0, vjp = 0, second = 0;
  std::int64_t roll = 0, roll_jvp = 0;  // per step ahead
  std::int64_t solve = 0;               // where the model has its own
};

// what a large latent, of which a step changes little, knows of itself without being read as a whole
struct KnownPoint {
  double loss = 0;        // at z as it stands
  double moved = 0;       // Σ(z − z before)², since the last correction
  bool settled = false;   // no step can improve z, so the gate is not asked
  std::int64_t macs = 0;  // that it took to know
};

// what a step on a part of the latent came to
struct LocalStep {
  double kappa = 0, gradient_squares = 0;  // κ and ‖g‖² before it
  double loss = 0;                         // after it
  bool settled = false;                    // no further step can improve it
  std::int64_t macs = 0;                   // that it took
};

class LatentModel {
 public:
  virtual int latents() const = 0;  // d
  virtual int outputs() const = 0;  // m
  virtual LatentCost cost() const = 0;
  // relative rounding error of y; a gain within the error that this causes in the loss does not count
  virtual double precision() const { return 1e-15; }

  // y = g(z), and z becomes the point at which derivatives are taken
  virtual void linearise(std::span<const double> z, std::span<double> y) = 0;
  // y = g(z); the point stays
  virtual void output(std::span<const double> z, std::span<double> y) = 0;

  // Optional: the loss of z without y. A correction that ends here, because its gate grants nothing, reads neither z nor
  // y, so a step at rest takes no time that grows with the latent; y is then not written
  virtual bool known_point(const Objective& /*objective*/, KnownPoint& /*known*/) const { return false; }

  // at the point: J q for every row q, Jᵀ w for every row w, and D²g[q, q]
  virtual void jvp(ConstDoubleRows q, DoubleRows jq) = 0;
  virtual void vjp(ConstDoubleRows w, DoubleRows jtw) = 0;
  virtual void second(std::span<const double> q, std::span<double> d2) = 0;
  // vjp of all unit vectors in their order: the rows of J. Override where J is available directly
  virtual void jacobian(ConstDoubleRows units, DoubleRows rows) { vjp(units, rows); }

  // Frozen steps ahead, Φ_h, with the input held. Row h − 1 of y is g(Φ_h(·)), for h = 1 … y.count.
  // roll_point starts at the point and is remembered; roll_tangent then gives J(Φ_h) DΦ_h v along it; roll starts
  // anywhere and is not remembered. A latent without dynamics does not move.
  virtual void roll_point(DoubleRows y) = 0;
  virtual void roll_tangent(std::span<const double> v, DoubleRows dy) = 0;
  virtual void roll(std::span<const double> z, DoubleRows y) = 0;

  // Further features for a gate, at the point: bounded, and always the same number of them (gate/gatekeeper.h)
  virtual std::span<const double> gate_features() const { return {}; }

  // Its own Gauss–Newton step at the point, v = −G⁻¹g, where it knows a better one than the metrics (Metric::native)
  virtual bool solve(const Objective& /*objective*/, std::span<const double> /*y*/,
                     std::span<const double> /*gradient*/, std::span<double> /*v*/) {
    return false;
  }

  // Optional, for a latent that knows its point: the same step, taken in place on the part of its own z that is not
  // settled. Neither z nor y is read then, and a step that is not accepted is taken back
  virtual bool has_local_steps() const { return false; }
  virtual LocalStep step_locally(const Objective& /*objective*/) { return {}; }
  virtual std::int64_t step_back() { return 0; }  // multiply-adds that it took

 protected:
  ~LatentModel() = default;  // never owned through this interface: real-time code must not free
};

}  // namespace elastane
