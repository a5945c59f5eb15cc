// Retr: from a point and a direction to a point that is allowed.
//
//   first_order    z + Δ
//   second_order   z + Δ − G⁻¹Jᵀ(lag), with the decoder's lag behind its own line      docs/science.md §1.11
//   christoffel    z + Δ − ½Γ[Δ, Δ],  Γ[Δ, Δ] = G⁻¹JᵀW D²g[Δ, Δ]                       the same to third order
//
// The second-order term is used only where the metric can be trusted with it, and only if it is shorter than the step.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

namespace elastane {

enum class Retraction : std::uint8_t { first_order, second_order, christoffel };
enum class Domain : std::uint8_t {
  free,
  torus,  // every coordinate is an angle in (−π, π]
  ball,   // ‖z‖ ≤ ball_radius
};

struct RetractionOptions {
  Retraction kind = Retraction::first_order;
  Domain domain = Domain::free;
  double ball_radius = 1.0;
  double drift =
      0;  // β of z + αv + β(z⁰ − z), which every micro-step takes back towards the proposal; first_order only (ESM)
};

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

}  // namespace elastane
