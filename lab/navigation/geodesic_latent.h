// Distances home as a corrected latent: the map of the mazes over cells with costs, in view of rays that cross any cell.
//
//   z    D, the distance home of every cell
//   y_k  D(c_k) − U(D, c_k), the Bellman residual of the cells c_k of the path; y_0 is 1 where no path is known
//
// An obstacle off the path cannot make the path worse, so only the path is judged: the loss is 0 until one of its cells
// becomes dearer, and the gate then grants a micro-step if that is worth its price. The step is the model's own
// (Metric::native): it marches, so z + v solves D = U(D) everywhere, and y is 0 there. Along v the derivative is the
// secant, Jv = −y, which makes κ = yᵀWy; derivatives in other directions are never asked for.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "lab/navigation/map_path.h"

namespace elastane::navigation {

class GeodesicLatent final : public LatentModel {
 public:
  explicit GeodesicLatent(const SiteMap& map);

  static constexpr int kOutputs = 256;  // cells of the path that are judged, the nearest ones

  void begin();  // nothing is known
  // before a correction: the cells to judge
  void observe();
  // after it
  void commit(bool changed);
  std::span<double> z() { return z_; }
  std::span<const double> z() const { return z_; }
  const MapPath& path() const { return path_; }

  int latents() const override { return map_.count(); }
  int outputs() const override { return kOutputs; }
  LatentCost cost() const override;
  void linearise(std::span<const double> z, std::span<double> y) override;
  void output(std::span<const double> z, std::span<double> y) override;
  void jvp(ConstDoubleRows q, DoubleRows jq) override;
  void vjp(ConstDoubleRows w, DoubleRows jtw) override;
  void second(std::span<const double> q, std::span<double> d2) override;
  void roll_point(DoubleRows y) override { roll(point_, y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override;
  void roll(std::span<const double> z, DoubleRows y) override;
  bool solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
             std::span<double> v) override;

 private:
  void solve_at_point();

  const SiteMap& map_;
  Geodesic geodesic_;
  MapPath path_;
  std::vector<double> z_, solution_, step_, residual_;  // D; its solution at the point, minus the point; y there
  std::span<const double> point_;
  double squares_ = 0;  // of the step
  bool solved_ = false;
};

// ½Σ(y/tolerance)²
class PathResidual final : public Objective {
 public:
  explicit PathResidual(double tolerance) : weight_(1 / (tolerance * tolerance)) {}
  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;

 private:
  double weight_;
};

}  // namespace elastane::navigation
