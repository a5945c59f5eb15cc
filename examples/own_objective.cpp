// A custom objective: keep a distance above a margin, and above a wider margin further ahead.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "elastane/core/objective/objective.h"
#include "elastane/core/stream/stream.h"

// Output 0 is the distance to a wall. Below the margin it costs ½(below/σ)², above it nothing.
class KeepDistance : public elastane::Objective {
 public:
  KeepDistance(double margin, double sigma) : margin_(margin), weight_(1.0 / (sigma * sigma)) {}
  virtual ~KeepDistance() = default;  // because another class derives from it

  double value(std::span<const double> y) const override { return 0.5 * weight_ * below(y) * below(y); }

  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    gradient[0] = weight_ * below(y);
  }

  void gauss_newton(std::span<const double> y, elastane::ConstDoubleRows directions,
                    elastane::DoubleRows products) const override {
    for (int r = 0; r < directions.count; ++r) {
      const double u = directions[r][0];  // read before writing: both may be the same memory
      std::fill_n(products[r], y.size(), 0.0);
      products[r][0] = curvature(y) * u;
    }
  }

  // optional: if W is diagonal, this saves the products
  bool diagonal(std::span<const double> y, std::span<double> w) const override {
    std::fill(w.begin(), w.end(), 0.0);
    w[0] = curvature(y);
    return true;
  }

 private:
  double below(std::span<const double> y) const { return std::min(y[0] - margin_, 0.0); }
  double curvature(std::span<const double> y) const { return below(y) < 0.0 ? weight_ : 0.0; }

  double margin_, weight_;
};

// The same, with a margin that grows by 10 cm per step ahead, because the future is less certain.
class KeepDistanceAhead final : public KeepDistance {
 public:
  KeepDistanceAhead(double margin, double sigma)
      : KeepDistance(margin, sigma), ahead_{{{margin + 0.1, sigma}, {margin + 0.2, sigma}, {margin + 0.3, sigma}}} {}

  const Objective& at(int h) const override {
    if (h <= 0) return *this;
    return ahead_[std::min<std::size_t>(h, ahead_.size()) - 1];
  }

 private:
  std::array<KeepDistance, 3> ahead_;  // created in advance, because at() may not allocate
};

int main() {
  // a model with random weights and two outputs; the first plays the part of the distance
  elastane::ModelConfig config{.inputs = 2, .outputs = 2, .width = 16};
  config.blocks = {elastane::BlockConfig{.kind = elastane::GruConfig{}}};
  const auto model = elastane::Model::create(config, elastane::random_tensors(config, 1)).value();
  elastane::Stream stream(model, {.corrector = elastane::CorrectorOptions{}});

  const KeepDistanceAhead wall(0.4, 0.05);
  int below = 0, corrected = 0, better = 0;
  for (int t = 0; t < 200; ++t) {
    const float x[] = {std::sin(0.1F * static_cast<float>(t)), 0.5F};
    stream.advance(x);
    below += stream.output()[0] < 0.4F ? 1 : 0;
    const elastane::StepReport report = stream.correct(wall, elastane::Budget::macs(1e6));
    corrected += report.accepted;
    better += report.accepted > 0 && report.loss_after < report.loss_before ? 1 : 0;
  }
  std::printf("%d of 200 steps were too close; %d were corrected, %d of them improved\n", below, corrected, better);
  return corrected > 0 && better == corrected ? 0 : 1;
}
