// Small latents in double, written out plainly, on which the laws are tried.
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/corrector/latent_model.h"

namespace elastane {

using Vector = std::vector<double>;

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// y = W₂ tanh(W₁z + b), z ← f ⊙ z + drift
class TanhLatent final : public LatentModel {
 public:
  TanhLatent(int d, int hidden, int m, std::uint64_t seed, double sharpness = 1.0)
      : d_(d), h_(hidden), m_(m), w1_(static_cast<std::size_t>(h_) * d), b_(h_), w2_(static_cast<std::size_t>(m) * h_) {
    Random random(seed);
    for (double& w : w1_) w = sharpness * random.normal() / std::sqrt(d);
    for (double& b : b_) b = 0.5 * random.normal();
    for (double& w : w2_) w = random.normal() / std::sqrt(h_);
    f.assign(d, 1.0);
    drift.assign(d, 0.0);
    active_.resize(h_);
  }

  std::span<const double> gate_features() const override { return added; }
  Vector added;  // that a gate sees

  int latents() const override { return d_; }
  int outputs() const override { return m_; }
  LatentCost cost() const override {
    const std::int64_t n = static_cast<std::int64_t>(h_) * (d_ + m_);
    return {.read = n, .jvp = n, .vjp = n, .second = n, .roll = n + d_, .roll_jvp = n + d_};
  }

  void output(std::span<const double> z, std::span<double> y) override { value(z, y, nullptr); }
  void linearise(std::span<const double> z, std::span<double> y) override {
    point_.assign(z.begin(), z.end());
    value(z, y, active_.data());
  }
  void jvp(ConstDoubleRows q, DoubleRows jq) override {
    for (int r = 0; r < q.count; ++r) tangent(active_, q[r], jq[r]);
  }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override {
    for (int r = 0; r < w.count; ++r) {
      for (int i = 0; i < d_; ++i) jtw[r][i] = 0;
      for (int k = 0; k < h_; ++k) {
        double sum = 0;
        for (int j = 0; j < m_; ++j) sum += w2(j, k) * w[r][j];
        sum *= 1 - active_[k] * active_[k];
        for (int i = 0; i < d_; ++i) jtw[r][i] += w1(k, i) * sum;
      }
    }
  }
  void second(std::span<const double> q, std::span<double> d2) override {
    for (double& v : d2) v = 0;
    for (int k = 0; k < h_; ++k) {
      double sum = 0;
      for (int i = 0; i < d_; ++i) sum += w1(k, i) * q[i];
      const double t = active_[k];
      for (int j = 0; j < m_; ++j) d2[j] += w2(j, k) * -2 * t * (1 - t * t) * sum * sum;
    }
  }
  void roll_point(DoubleRows y) override { roll(point_, y); }
  void roll(std::span<const double> z, DoubleRows y) override {
    Vector at(z.begin(), z.end());
    for (int h = 0; h < y.count; ++h) {
      step(at);
      value(at, {y[h], static_cast<std::size_t>(m_)}, nullptr);
    }
  }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override {
    Vector at = point_, along(v.begin(), v.end()), active(h_), y(m_);
    for (int h = 0; h < dy.count; ++h) {
      step(at);
      for (int i = 0; i < d_; ++i) along[i] *= f[i];
      value(at, y, active.data());
      tangent(active, along.data(), dy[h]);
    }
  }

  Vector f, drift;

 private:
  double w1(int k, int i) const { return w1_[static_cast<std::size_t>(k) * d_ + i]; }
  double w2(int j, int k) const { return w2_[static_cast<std::size_t>(j) * h_ + k]; }
  void step(Vector& z) const {
    for (int i = 0; i < d_; ++i) z[i] = f[i] * z[i] + drift[i];
  }
  void value(std::span<const double> z, std::span<double> y, double* active) const {
    for (double& v : y) v = 0;
    for (int k = 0; k < h_; ++k) {
      double sum = b_[k];
      for (int i = 0; i < d_; ++i) sum += w1(k, i) * z[i];
      const double t = std::tanh(sum);
      if (active != nullptr) active[k] = t;
      for (int j = 0; j < m_; ++j) y[j] += w2(j, k) * t;
    }
  }
  void tangent(const Vector& active, const double* q, double* jq) const {
    for (int j = 0; j < m_; ++j) jq[j] = 0;
    for (int k = 0; k < h_; ++k) {
      double sum = 0;
      for (int i = 0; i < d_; ++i) sum += w1(k, i) * q[i];
      sum *= 1 - active[k] * active[k];
      for (int j = 0; j < m_; ++j) jq[j] += w2(j, k) * sum;
    }
  }

  int d_, h_, m_;
  Vector w1_, b_, w2_, active_, point_;
};

// y = Cz, z ← Fz; its own Gauss–Newton solve, if given one
class LinearLatent : public LatentModel {
 public:
  LinearLatent(int d, int m, std::uint64_t seed) : d_(d), m_(m), c(static_cast<std::size_t>(m) * d), f(d, 1.0) {
    Random random(seed);
    for (double& v : c) v = random.normal();
  }
  virtual ~LinearLatent() = default;
  int latents() const override { return d_; }
  int outputs() const override { return m_; }
  LatentCost cost() const override {
    const std::int64_t n = static_cast<std::int64_t>(d_) * m_;
    return {.read = n, .jvp = n, .vjp = n, .second = 0, .roll = n + d_, .roll_jvp = n + d_};
  }
  void output(std::span<const double> z, std::span<double> y) override { apply(z.data(), y.data()); }
  void linearise(std::span<const double> z, std::span<double> y) override {
    point_.assign(z.begin(), z.end());
    apply(z.data(), y.data());
  }
  void jvp(ConstDoubleRows q, DoubleRows jq) override {
    for (int r = 0; r < q.count; ++r) apply(q[r], jq[r]);
  }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override {
    for (int r = 0; r < w.count; ++r) {
      for (int i = 0; i < d_; ++i) {
        jtw[r][i] = 0;
        for (int j = 0; j < m_; ++j) jtw[r][i] += c[static_cast<std::size_t>(j) * d_ + i] * w[r][j];
      }
    }
  }
  void second(std::span<const double>, std::span<double> d2) override {
    for (double& v : d2) v = 0;
  }
  void roll_point(DoubleRows y) override { roll(point_, y); }
  void roll(std::span<const double> z, DoubleRows y) override {
    Vector at(z.begin(), z.end());
    for (int h = 0; h < y.count; ++h) {
      for (int i = 0; i < d_; ++i) at[i] *= f[i];
      apply(at.data(), y[h]);
    }
  }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override { roll(v, dy); }

 protected:
  void apply(const double* z, double* y) const {
    for (int j = 0; j < m_; ++j) {
      y[j] = 0;
      for (int i = 0; i < d_; ++i) y[j] += c[static_cast<std::size_t>(j) * d_ + i] * z[i];
    }
  }
  int d_, m_;
  Vector point_;

 public:
  Vector c, f;
};

// ½ Σ w(y − t)²
class SquaredError : public Objective {
 public:
  virtual ~SquaredError() = default;  // because others derive from it
  explicit SquaredError(Vector goal, double w = 1.0) : target(std::move(goal)), weight(w) {}
  double value(std::span<const double> y) const override {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += 0.5 * weight * (y[i] - target[i]) * (y[i] - target[i]);
    return sum;
  }
  void gradient(std::span<const double> y, std::span<double> g) const override {
    for (std::size_t i = 0; i < y.size(); ++i) g[i] = weight * (y[i] - target[i]);
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    for (int r = 0; r < u.count; ++r) {
      for (std::size_t i = 0; i < y.size(); ++i) wu[r][i] = weight * u[r][i];
    }
  }
  bool diagonal(std::span<const double>, std::span<double> w) const override {
    for (double& v : w) v = weight;
    return true;
  }
  const Objective& at(int) const override { return *this; }
  Vector target;
  double weight;
};

}  // namespace elastane
