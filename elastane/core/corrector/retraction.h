// Retr: from a point and a direction to a point that is allowed.
//
//   first_order    z + Δ
//   second_order   z + Δ − G⁻¹Jᵀ(lag), lag = W(g(z + Δ) − g(z) − JΔ)       no second derivative
//   christoffel    z + Δ − ½Γ[Δ, Δ],  Γ[Δ, Δ] = G⁻¹JᵀW D²g[Δ, Δ]           the same to third order
//
// Both are derived in docs/science.md §1.11.
// The second-order term is used only where the metric can be trusted with it, and only if it is shorter than the step.
#pragma once

#include <cmath>
#include <numbers>
#include <span>

#include "elastane/core/corrector/corrector_options.h"

namespace elastane {

class Geometry;
class PointPullback;

// back into the domain
inline void project(const RetractionOptions& options, std::span<double> z) {
  switch (options.domain) {
    case Domain::free: break;
    case Domain::torus:
      for (double& angle : z) {
        angle = std::remainder(angle, 2 * std::numbers::pi);
        if (angle == -std::numbers::pi) angle = std::numbers::pi;
      }
      break;
    case Domain::ball: {
      double squares = 0;
      for (const double value : z) squares += value * value;
      if (!(squares > options.ball_radius * options.ball_radius)) break;
      const double factor = options.ball_radius / std::sqrt(squares);
      for (double& value : z) value *= factor;
      break;
    }
  }
}

// a step αv from the model's point
struct Ray {
  //                             meaning             shape
  std::span<const double> z;  // the point, drifted  [d]
  std::span<const double> v;  // the direction       [d]
  std::span<const double> a;  // Jv                  [m]
  double alpha = 1;           // α
};

// What a retraction writes: its result, and scratch. Zeros follow each array up to a multiple of kDoubleLane
struct RetractionArrays {
  //                              meaning                 shape
  std::span<double> trial;     // Retr_z(αv)              [d]
  std::span<double> moved;     // g(trial)                [m]
  std::span<double> bend;      // the second-order term   [d]
  std::span<double> gradient;  // what it is solved from  [d]
  std::span<double> path;      // αJv                     [m]
  std::span<double> jet;       // D²g[αv, αv]             [m]
  std::span<double> lag;       // what is pulled back     [m]
};

// trial ← Retr_z(αv), moved ← g(trial); returns whether the second-order term is in it
bool retract(const RetractionOptions& options, PointPullback& at, Geometry& geometry, const Ray& ray,
             const RetractionArrays& out);

}  // namespace elastane
