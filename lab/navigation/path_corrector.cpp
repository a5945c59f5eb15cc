#include "lab/navigation/path_corrector.h"

#include <algorithm>
#include <array>

#include "elastane/core/math/kernels.h"

namespace elastane::navigation {
namespace {

// a path as its own latent: the output is the latent, and it does not change by itself
class PathLatent final : public LatentModel {
 public:
  int latents() const override { return kPath; }
  int outputs() const override { return kPath; }
  LatentCost cost() const override { return {}; }
  void linearise(std::span<const double> z, std::span<double> y) override {
    std::ranges::copy(z, point_.begin());
    std::ranges::copy(z, y.begin());
  }
  void output(std::span<const double> z, std::span<double> y) override { std::ranges::copy(z, y.begin()); }
  void jvp(ConstDoubleRows q, DoubleRows jq) override { copy(q, jq); }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override { copy(w, jtw); }
  void second(std::span<const double>, std::span<double> d2) override { std::ranges::fill(d2, 0.0); }
  void roll_point(DoubleRows y) override { repeat(point_, y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override { repeat(v, dy); }
  void roll(std::span<const double> z, DoubleRows y) override { repeat(z, y); }

 private:
  static void copy(ConstDoubleRows from, DoubleRows to) {
    for (int i = 0; i < from.count; ++i) std::copy_n(from[i], kPath, to[i]);
  }
  static void repeat(std::span<const double> from, DoubleRows to) {
    for (int i = 0; i < to.count; ++i) std::ranges::copy(from, to[i]);
  }

  std::array<double, kPath> point_ = {};
};

}  // namespace

PathCorrector::PathCorrector(const CorrectorOptions& options)
    : corrector_(options, kPath, kPath, **kernels(Isa::automatic)),
      memory_(corrector_.memory_doubles()),
      path_(kPath),
      output_(kPath) {
  reset();
}

void PathCorrector::reset() { corrector_.reset(memory_.data()); }

StepReport PathCorrector::correct(const PathObjective& objective, std::span<const float> proposed) {
  std::copy_n(proposed.begin(), kPath, path_.begin());
  PathLatent latent;
  return corrector_.correct(latent, objective, {}, path_, output_, memory_.data());
}

}  // namespace elastane::navigation
