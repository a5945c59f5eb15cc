// An objective of one's own: keep a distance above a margin, and above a wider one farther ahead.
#include <algorithm>
#include <array>
#include <cstdio>

#include "elastane/core/objective/objective.h"

// Output 0 is the distance to a wall. Where it is below the margin it costs ½(below/σ)²; above, nothing.
class KeepDistance : public elastane::Objective {
 public:
  KeepDistance(double margin, double sigma) : margin_(margin), weight_(1.0 / (sigma * sigma)) {}

  double value(std::span<const double> y) const override { return 0.5 * weight_ * below(y) * below(y); }

  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    gradient[0] = weight_ * below(y);
  }

  void gauss_newton(std::span<const double> y, elastane::ConstColumns directions,
                    elastane::Columns products) const override {
    for (int r = 0; r < directions.count; ++r) {
      const double u = directions[r][0];  // read before written: the rows may be the same
      std::fill_n(products[r], y.size(), 0.0);
      products[r][0] = curvature(y) * u;
    }
  }

  // may be left out; where W is diagonal it saves the products
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

// The same, with 10 cm more for each step ahead: what is farther off is less certain.
class KeepDistanceAhead final : public KeepDistance {
 public:
  KeepDistanceAhead(double margin, double sigma)
      : KeepDistance(margin, sigma), ahead_{{{margin + 0.1, sigma}, {margin + 0.2, sigma}, {margin + 0.3, sigma}}} {}

  const Objective& at(int h) const override {
    if (h <= 0) return *this;
    return ahead_[std::min<std::size_t>(h, ahead_.size()) - 1];
  }

 private:
  std::array<KeepDistance, 3> ahead_;  // made beforehand: at() may not allocate
};

int main() {
  const KeepDistanceAhead wall(1.0, 0.1);
  std::puts("ahead  distance    value  gradient  curvature");
  for (const int h : {0, 3}) {
    for (const double distance : {1.4, 1.2, 0.9}) {
      const std::array y = {distance, 0.0};
      std::array<double, 2> gradient, w;
      wall.at(h).gradient(y, gradient);
      wall.at(h).diagonal(y, w);
      std::printf("%5d  %8.1f  %7.2f  %8.1f  %9.1f\n", h, distance, wall.at(h).value(y), gradient[0], w[0]);
    }
  }
}
