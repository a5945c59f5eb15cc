// ℓ: a loss of the outputs, which corrections reduce. An open interface: write your own in a few lines
// (docs/howto/own_objective.md).
//
// Everything is in output space. The corrector pulls it back through the decoder: g = Jᵀ∇ℓ, A = JᵀWJ.
// Nothing here may allocate, throw, lock or call the system, since correct() calls it. If a value is not finite, the
// corrector keeps its state.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "elastane/core/base/view.h"

namespace elastane {

class Objective {
 public:
  // ℓ(y)
  virtual double value(std::span<const double> y) const = 0;

  // ∇_y ℓ
  virtual void gradient(std::span<const double> y, std::span<double> gradient) const = 0;

  // W u for every row u of `directions`, with W ⪰ 0 the Gauss–Newton curvature of ℓ at y. Both may be the same rows
  virtual void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const = 0;

  // where W is diagonal: fills it and returns true, which saves products
  virtual bool diagonal(std::span<const double> /*y*/, std::span<double> /*w*/) const { return false; }

  // The objective h steps ahead, for rollouts. By default nothing is known about the future, and only the present
  // decides. An objective that stays the same (a wall, a set-point) returns itself
  virtual const Objective& at(int h) const;

  // What must not happen, in any unit, 0 where it does not: contact, a limit that is exceeded. A step that raises it, now
  // or over the rollout, is refused, however much it lowers ℓ (docs/science.md §1.17)
  virtual double violation(std::span<const double> /*y*/) const { return 0; }

  // is there nothing to correct towards (every channel missing)?
  virtual bool empty() const { return false; }

  // What a second-order retraction pulls back. Where W depends on y, there may be coordinates in which it does not: an
  // embedding e(y) with W = EᵀE, E = De(y). By default e is linear, and then:
  //   lag            Eᵀ(e(moved) − e(y) − E u)      W(moved − y − u)
  //   acceleration   Eᵀ(E a + D²e[u, u])            W a
  virtual void lag(std::span<const double> y, std::span<const double> moved, std::span<const double> u,
                   std::span<double> out) const {
    for (std::size_t i = 0; i < y.size(); ++i) out[i] = moved[i] - y[i] - u[i];
    weigh(y, out);
  }
  virtual void acceleration(std::span<const double> y, std::span<const double> /*u*/, std::span<const double> a,
                            std::span<double> out) const {
    for (std::size_t i = 0; i < y.size(); ++i) out[i] = a[i];
    weigh(y, out);
  }

 protected:
  ~Objective() = default;  // never owned through this interface: real-time code must not free

  // one vector in place: out ← W out
  void weigh(std::span<const double> y, std::span<double> out) const {
    const int m = static_cast<int>(out.size());
    gauss_newton(y, ConstDoubleRows{out.data(), 1, m}, DoubleRows{out.data(), 1, m});
  }
};

// nothing to correct towards: the future of an objective that does not know it
class NoObjective final : public Objective {
 public:
  double value(std::span<const double> /*y*/) const override { return 0.0; }
  void gradient(std::span<const double> /*y*/, std::span<double> gradient) const override {
    for (double& g : gradient) g = 0.0;
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows /*directions*/, DoubleRows products) const override {
    for (int r = 0; r < products.count; ++r) {
      for (std::size_t i = 0; i < y.size(); ++i) products[r][i] = 0.0;
    }
  }
  bool diagonal(std::span<const double> /*y*/, std::span<double> w) const override {
    for (double& each : w) each = 0.0;
    return true;
  }
  bool empty() const override { return true; }
};
inline constexpr NoObjective kNoObjective;

inline const Objective& Objective::at(int h) const {
  if (h <= 0) return *this;
  return kNoObjective;
}

inline constexpr float kLargestTarget = 1e18F;      // a target beyond this, or not a number, is missing, as in a Sample
inline constexpr double kSmallestVariance = 1e-18;  // a smaller variance counts as this, so that no weight overflows

// What the outputs should have been, per channel, and how certain that is: what Gaussian and Huber compare with. It is
// a view: nothing is copied, and the caller's arrays must outlive it and every objective made of it. No input is an
// error; a channel without a usable value is missing.
struct Target {
  std::span<const float> values;          // t; a channel beyond its end is missing
  std::span<const std::uint8_t> present;  // 1 present, 0 missing; beyond its end: present
  std::span<const float> noises;          // σ of each channel; beyond its end: `noise`
  double noise = 1.0;                     // σ of all channels
  double temperature = 1.0;               // τ², which scales every variance (calibration.h)
  bool lasts = false;                     // it is the target of the steps ahead, too, as a set-point is

  // is there a target for channel i?
  bool offers(std::size_t i) const {
    const bool offered = i < values.size() && (i >= present.size() || present[i] != 0);
    return offered && std::fabs(values[i]) <= kLargestTarget;
  }

  // 1/(τ²σ²); 0 where the variance is not a positive finite number
  double certainty(double sigma) const {
    const double variance = temperature * sigma * sigma;
    const bool known = sigma > 0.0 && temperature > 0.0 && variance <= std::numeric_limits<double>::max();
    return known ? 1.0 / std::fmax(variance, kSmallestVariance) : 0.0;
  }

  // channel i's weight, w = 1/(τ²σ²), or 0 if it is missing
  double weight(std::size_t i) const { return offers(i) ? certainty(i < noises.size() ? noises[i] : noise) : 0.0; }

  // is every channel missing?
  bool empty() const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (weight(i) > 0.0) return false;
    }
    return true;
  }
};

}  // namespace elastane
