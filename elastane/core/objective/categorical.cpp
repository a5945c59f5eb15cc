// Real-time code only.
#include "elastane/core/objective/categorical.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace elastane {
namespace {

constexpr double kSmallestTemperature = 1e-9;
constexpr float kSmallestShare = 1e-30F, kLargestShare = 1e18F;  // outside: 0
constexpr int kTile = 16;                                        // directions that share the exponentials of one pass

// p_i = e^{(y_i − top)/T}/total. The largest logit is subtracted first, so nothing overflows. Probabilities are computed
// again wherever they are needed, since there is no memory of unknown size to keep them.
class Softmax {
 public:
  Softmax(std::span<const double> y, double sharpness) : sharpness_(sharpness) {
    for (const double v : y) top_ = std::fmax(top_, v);
    for (const double v : y) total_ += std::exp(-below(v));
  }
  double operator()(double y) const { return std::exp(-below(y)) / total_; }  // p_i
  double surprise(double y) const { return below(y) + std::log(total_); }     // −log p_i

 private:
  double below(double y) const { return (top_ - y) * sharpness_; }

  double top_ = -std::numeric_limits<double>::max();
  double total_ = 0.0;
  double sharpness_;
};

// pᵀu
double mean(const Softmax& p, std::span<const double> y, std::span<const double> u) {
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += p(y[i]) * u[i];
  return sum;
}

bool in_range(double temperature) { return temperature > 0.0 && temperature <= std::numeric_limits<double>::max(); }

}  // namespace

Categorical::Categorical(const CategoricalTarget& target)
    : probabilities_(target.probabilities),
      label_(static_cast<std::size_t>(std::max(target.label, 0))),
      classes_(target.probabilities.empty() ? static_cast<std::size_t>(std::max(target.classes, 0))
                                            : target.probabilities.size()),
      lasts_(target.lasts) {
  const bool labelled = !target.probabilities.empty() || (target.label >= 0 && target.label < target.classes);
  if (!labelled || !in_range(target.temperature)) return;
  sharpness_ = 1.0 / std::fmax(target.temperature, kSmallestTemperature);
  if (probabilities_.empty()) mass_ = 1.0;
  for (std::size_t i = 0; i < probabilities_.size(); ++i) mass_ += share(i);
}

double Categorical::share(std::size_t i) const {
  if (probabilities_.empty()) return i == label_ ? 1.0 : 0.0;
  const float q = probabilities_[i];
  return q >= kSmallestShare && q <= kLargestShare ? q : 0.0;
}

std::span<const double> Categorical::logits(std::span<const double> y) const {
  return empty() || y.size() < classes_ ? std::span<const double>{} : y.first(classes_);
}

double Categorical::value(std::span<const double> y) const {
  y = logits(y);
  const Softmax p(y, sharpness_);
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double q = share(i) / mass_;
    if (q > 0.0) sum += q * p.surprise(y[i]);
  }
  return sum;
}

void Categorical::gradient(std::span<const double> y, std::span<double> gradient) const {
  y = logits(y);
  const Softmax p(y, sharpness_);
  for (std::size_t i = 0; i < y.size(); ++i) gradient[i] = (p(y[i]) - share(i) / mass_) * sharpness_;
  for (std::size_t i = y.size(); i < gradient.size(); ++i) gradient[i] = 0.0;
}

void Categorical::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  const std::size_t outputs = y.size();
  y = logits(y);
  const Softmax p(y, sharpness_);
  for (int first = 0; first < directions.count; first += kTile) {
    const int rows = std::min(kTile, directions.count - first);
    std::array<double, kTile> means{};  // pᵀu of each direction
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double pi = p(y[i]);
      for (int r = 0; r < rows; ++r) means[r] += pi * directions[first + r][i];
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double scale = p(y[i]) * sharpness_ * sharpness_;
      for (int r = 0; r < rows; ++r) products[first + r][i] = scale * (directions[first + r][i] - means[r]);
    }
    for (std::size_t i = y.size(); i < outputs; ++i) {
      for (int r = 0; r < rows; ++r) products[first + r][i] = 0.0;
    }
  }
}

// Eᵀw with w = e(moved) − e(y) − E u
void Categorical::lag(std::span<const double> y, std::span<const double> moved, std::span<const double> u,
                      std::span<double> out) const {
  y = logits(y);
  moved = moved.first(y.size());
  const Softmax p(y, sharpness_), q(moved, sharpness_);
  const double ubar = mean(p, y, u);
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double pi = p(y[i]), c = (u[i] - ubar) * sharpness_;
    out[i] = 2.0 * (std::sqrt(pi) * std::sqrt(q(moved[i])) - pi) - pi * c;  // √p_i w_i
    sum += out[i];
  }
  for (std::size_t i = 0; i < y.size(); ++i) out[i] = (out[i] - p(y[i]) * sum) * sharpness_;
  for (std::size_t i = y.size(); i < out.size(); ++i) out[i] = 0.0;
}

// W a + Eᵀ D²e[u, u]; since Σ √p_i D²e_i = −½ pᵀc², the second term is p_j(c_j² − pᵀc²)/(2T)
void Categorical::acceleration(std::span<const double> y, std::span<const double> u, std::span<const double> a,
                               std::span<double> out) const {
  y = logits(y);
  const Softmax p(y, sharpness_);
  const double ubar = mean(p, y, u), abar = mean(p, y, a);
  double variance = 0.0;  // pᵀc²
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double c = (u[i] - ubar) * sharpness_;
    variance += p(y[i]) * c * c;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double c = (u[i] - ubar) * sharpness_;
    out[i] = p(y[i]) * sharpness_ * ((a[i] - abar) * sharpness_ + 0.5 * (c * c - variance));
  }
  for (std::size_t i = y.size(); i < out.size(); ++i) out[i] = 0.0;
}

}  // namespace elastane
