// Real-time code only.
#include "elastane/core/objective/weighted_sum.h"

#include <algorithm>
#include <limits>

namespace elastane {

template <class F>
void TermSum::each_term(F f) const {
  const int count = terms_ != nullptr ? terms_->count : 0;
  for (int k = 0; k < count; ++k) {
    const auto [weight, now] = terms_->term[k];
    if (now == nullptr || !(weight > 0.0 && weight <= std::numeric_limits<double>::max())) continue;
    const Objective& objective = h_ > 0 ? now->at(h_) : *now;
    if (!objective.empty()) f(weight, objective);
  }
}

template <class F>
void TermSum::accumulate(std::span<double> out, F write) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (out.size() > kMaxOutputs) return;
  std::array<double, kMaxOutputs> room;  // not initialised: only as much of it is touched as there are outputs
  const std::span part = std::span(room).first(out.size());
  each_term([&](double weight, const Objective& objective) {
    write(objective, part);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += weight * part[i];
  });
}

double TermSum::value(std::span<const double> y) const {
  if (y.size() > kMaxOutputs) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0;
  each_term([&](double weight, const Objective& objective) { sum += weight * objective.value(y); });
  return sum;
}

void TermSum::gradient(std::span<const double> y, std::span<double> gradient) const {
  accumulate(gradient, [&](const Objective& objective, std::span<double> part) { objective.gradient(y, part); });
}

void TermSum::lag(std::span<const double> y, std::span<const double> moved, std::span<const double> u,
                  std::span<double> out) const {
  accumulate(out, [&](const Objective& objective, std::span<double> part) { objective.lag(y, moved, u, part); });
}

void TermSum::acceleration(std::span<const double> y, std::span<const double> u, std::span<const double> a,
                           std::span<double> out) const {
  accumulate(out, [&](const Objective& objective, std::span<double> part) { objective.acceleration(y, u, a, part); });
}

bool TermSum::diagonal(std::span<const double> y, std::span<double> w) const {
  bool all = y.size() <= kMaxOutputs;
  accumulate(w, [&](const Objective& objective, std::span<double> part) { all = all && objective.diagonal(y, part); });
  return all;
}

bool TermSum::empty() const {
  bool none = true;
  each_term([&](double, const Objective&) { none = false; });
  return none;
}

// In tiles of as many directions as fit the stack arrays. They are copied first, since products may overwrite them.
void TermSum::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  const std::size_t m = y.size();
  const bool fits = m > 0 && m <= kMaxOutputs;
  const int tile = fits ? static_cast<int>(kMaxOutputs / m) : 1;
  std::array<double, kMaxOutputs> copies, parts;
  for (int first = 0; first < directions.count; first += tile) {
    const int rows = std::min(tile, directions.count - first);
    const DoubleRows copy{copies.data(), rows, static_cast<int>(m)}, part{parts.data(), rows, static_cast<int>(m)};
    for (int r = 0; r < rows; ++r) {
      if (fits) std::copy_n(directions[first + r], m, copy[r]);
      std::fill_n(products[first + r], m, 0.0);
    }
    if (!fits) continue;
    each_term([&](double weight, const Objective& objective) {
      objective.gauss_newton(y, copy, part);
      for (int r = 0; r < rows; ++r) {
        for (std::size_t i = 0; i < m; ++i) products[first + r][i] += weight * part[r][i];
      }
    });
  }
}

WeightedSum::WeightedSum() : TermSum(own_, 0) {
  for (int h = 1; h <= kMaxHorizon; ++h) ahead_[h - 1] = SumAhead(own_, h);
}

bool WeightedSum::add(const WeightedTerm& term) {
  if (own_.count == kMaxTerms) return false;
  own_.term[own_.count++] = term;
  return true;
}

const Objective& WeightedSum::at(int h) const {
  if (h <= 0) return *this;
  return ahead_[std::min(h, kMaxHorizon) - 1];
}

}  // namespace elastane
