// A loop's torsions as a latent: outputs are the torsions themselves, and its own solve is Levenberg's,
// v = −(W + λI)⁻¹g with W the energy's Gauss–Newton curvature.
//
// The plain Cartesian pullback is the wrong metric here: what makes a direction stiff is a wall or the closed chain,
// not how far atoms go.
#pragma once

#include "elastane/core/corrector/latent_model.h"
#include "elastane/core/math/kernels.h"
#include "lab/protein_loop/objective.h"

namespace elastane::protein_loop {

// the part of W that a solve uses; diagonal is for comparison
enum class Curvature : std::uint8_t { whole, diagonal };

class LoopLatent final : public LatentModel {
 public:
  explicit LoopLatent(const LoopObjective& objective, Curvature curvature = Curvature::whole)
      : k_(kernels().value()), objective_(&objective), curvature_(curvature) {}

  void set_damping(double damping) { damping_ = damping; }
  double damping() const { return damping_; }

  int latents() const override { return objective_->energy().torsions(); }
  int outputs() const override { return latents(); }
  // torsions cost nothing to read, but a read is followed by an evaluation of the energy, which is charged here
  LatentCost cost() const override;

  void linearise(std::span<const double> z, std::span<double> y) override { output(z, y); }
  void output(std::span<const double> z, std::span<double> y) override;
  void jvp(ConstDoubleRows q, DoubleRows jq) override;
  void vjp(ConstDoubleRows w, DoubleRows jtw) override { jvp(w, jtw); }
  void second(std::span<const double> q, std::span<double> d2) override;

  // the state does not change
  void roll_point(DoubleRows y) override;
  void roll_tangent(std::span<const double> v, DoubleRows dy) override;
  void roll(std::span<const double> z, DoubleRows y) override;

  bool solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
             std::span<double> v) override;

  // log(1 + ·) of the gap, and of closure, walls and Ramachandran at the last point: what a gate recognises damage by
  static constexpr int kGateFeatures = 4;
  std::span<const double> gate_features() const override;

 private:
  static constexpr int kStride = double_stride(kMaxTorsions);

  const Kernels* k_;
  const LoopObjective* objective_;
  Curvature curvature_;
  mutable std::array<double, kGateFeatures> features_ = {};
  double damping_ = 1;  // λ, in units of energy per square radian
  std::array<double, kMaxTorsions * kStride> system_, units_;
};

}  // namespace elastane::protein_loop
