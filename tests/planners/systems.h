// Small systems and costs on which planners are tried: a linear-quadratic one, and a pendulum.
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "elastane/core/base/random.h"
#include "elastane/planners/system.h"

namespace elastane::planners {

using Eigen::MatrixXd;
using Eigen::VectorXd;

inline MatrixXd random_matrix(Random& random, int rows, int columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&]() { return random.normal(); });
}
inline MatrixXd random_positive(Random& random, int n) {
  const MatrixXd root = random_matrix(random, n, n);
  return root.transpose() * root + 0.1 * MatrixXd::Identity(n, n);
}
inline Eigen::Map<const VectorXd> as_vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline void write(const MatrixXd& from, DoubleRows to) {
  for (int i = 0; i < from.rows(); ++i) {
    for (int j = 0; j < from.cols(); ++j) to[i][j] = from(i, j);
  }
}

// x⁺ = Ax + Bu
class LinearSystem final : public Dynamics {
 public:
  LinearSystem(MatrixXd a_, MatrixXd b_) : a(std::move(a_)), b(std::move(b_)) {}
  int states() const override { return static_cast<int>(a.rows()); }
  int controls() const override { return static_cast<int>(b.cols()); }
  void step(std::span<const double> x, std::span<const double> u, std::span<double> next) const override {
    for (int i = 0; i < a.rows(); ++i) {
      double sum = 0;
      for (int j = 0; j < a.cols(); ++j) sum += a(i, j) * x[static_cast<std::size_t>(j)];
      for (int j = 0; j < b.cols(); ++j) sum += b(i, j) * u[static_cast<std::size_t>(j)];
      next[static_cast<std::size_t>(i)] = sum;
    }
  }
  void linearise(std::span<const double>, std::span<const double>, DoubleRows to_a, DoubleRows to_b) const override {
    write(a, to_a), write(b, to_b);
  }
  MatrixXd a, b;
};

// ½[x, u]ᵀW[x, u] + [x, u]ᵀw, and ½xᵀFx + xᵀf at the end
class QuadraticCost final : public StageCost {
 public:
  QuadraticCost(Random& random, int n_, int m_)
      : n(n_),
        m(m_),
        stage(random_positive(random, n_ + m_)),
        stage_slope(random_matrix(random, n_ + m_, 1)),
        end(random_positive(random, n_)),
        end_slope(random_matrix(random, n_, 1)) {}

  double value(int, std::span<const double> x, std::span<const double> u) const override {
    if (u.empty()) return as_vector(x).dot(0.5 * end * as_vector(x) + end_slope);
    VectorXd both(n + m);
    both << as_vector(x), as_vector(u);
    return both.dot(0.5 * stage * both + stage_slope);
  }
  void expand(int, std::span<const double> x, std::span<const double> u, const CostExpansion& to) const override {
    Eigen::Map<VectorXd> to_x(to.x.data(), n), to_u(to.u.data(), m);
    if (u.empty()) {
      to_x = end * as_vector(x) + end_slope;
      write(end, to.xx);
      return;
    }
    VectorXd both(n + m);
    both << as_vector(x), as_vector(u);
    const VectorXd slope = stage * both + stage_slope;
    to_x = slope.head(n), to_u = slope.tail(m);
    write(stage.topLeftCorner(n, n), to.xx);
    write(stage.bottomLeftCorner(m, n), to.ux);
    write(stage.bottomRightCorner(m, m), to.uu);
  }

  int n, m;
  MatrixXd stage;
  VectorXd stage_slope;
  MatrixXd end;
  VectorXd end_slope;
};

// an angle from hanging down and its rate, pushed by a torque; half-implicit steps
class Pendulum final : public Dynamics {
 public:
  static constexpr double kStep = 0.1, kGravity = 9.81;
  int states() const override { return 2; }
  int controls() const override { return 1; }
  void step(std::span<const double> x, std::span<const double> u, std::span<double> next) const override {
    const double rate = x[1] + kStep * (u[0] - kGravity * std::sin(x[0]));
    next[1] = rate;
    next[0] = x[0] + kStep * rate;
  }
  void linearise(std::span<const double> x, std::span<const double>, DoubleRows a, DoubleRows b) const override {
    a[1][0] = -kStep * kGravity * std::cos(x[0]), a[1][1] = 1;
    a[0][0] = 1 + kStep * a[1][0], a[0][1] = kStep;
    b[1][0] = kStep, b[0][0] = kStep * kStep;
  }
};

// ½‖(angle − goal, rate)‖² weighted, and effort; without allocation
class SwingTo final : public StageCost {
 public:
  explicit SwingTo(double goal) : goal_(goal) {}
  double value(int, std::span<const double> x, std::span<const double> u) const override {
    const double off = x[0] - goal_, weight = u.empty() ? 20 : 1;
    return 0.5 * weight * (off * off + 0.1 * x[1] * x[1]) + (u.empty() ? 0 : 0.5e-2 * u[0] * u[0]);
  }
  void expand(int, std::span<const double> x, std::span<const double> u, const CostExpansion& to) const override {
    const double weight = u.empty() ? 20 : 1;
    to.x[0] = weight * (x[0] - goal_), to.x[1] = 0.1 * weight * x[1];
    to.xx[0][0] = weight, to.xx[1][1] = 0.1 * weight;
    if (u.empty()) return;
    to.u[0] = 1e-2 * u[0], to.uu[0][0] = 1e-2;
  }

 private:
  double goal_;
};

}  // namespace elastane::planners
