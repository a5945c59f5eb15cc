// Laws of every objective, written once: derivatives against differences, what curvature must be, products in place.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/objective/objective.h"

namespace elastane {

using Vector = std::vector<double>;

inline Vector normals(Random& random, std::size_t n, double scale = 1.0) {
  Vector v(n);
  for (double& x : v) x = scale * random.normal();
  return v;
}

inline Vector plus(Vector a, double scale, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += scale * b[i];
  return a;
}

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double largest(const Vector& v) {
  double most = 0.0;
  for (const double x : v) most = std::fmax(most, std::fabs(x));
  return most;
}

inline void expect_near(const Vector& a, const Vector& b, double tolerance, const char* what = "") {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << what << " [" << i << "]";
}

inline Vector gradient_of(const Objective& objective, const Vector& y) {
  Vector g(y.size(), NAN);
  objective.gradient(y, g);
  return g;
}

inline Vector product_of(const Objective& objective, const Vector& y, const Vector& u) {
  Vector wu(y.size(), NAN);
  const int m = static_cast<int>(y.size());
  objective.gauss_newton(y, ConstDoubleRows{u.data(), 1, m}, DoubleRows{wu.data(), 1, m});
  return wu;
}

inline Vector lag_of(const Objective& objective, const Vector& y, const Vector& moved, const Vector& u) {
  Vector out(y.size(), NAN);
  objective.lag(y, moved, u, out);
  return out;
}

inline Vector acceleration_of(const Objective& objective, const Vector& y, const Vector& u, const Vector& a) {
  Vector out(y.size(), NAN);
  objective.acceleration(y, u, a, out);
  return out;
}

// W, row by row
inline std::vector<Vector> curvature_of(const Objective& objective, const Vector& y) {
  std::vector<Vector> rows;
  for (std::size_t i = 0; i < y.size(); ++i) {
    Vector unit(y.size());
    unit[i] = 1.0;
    rows.push_back(product_of(objective, y, unit));
  }
  return rows;
}

// ∇ℓ against central differences of ℓ
inline void expect_gradient_is_slope(const Objective& objective, const Vector& y, double tolerance = 1e-6) {
  const Vector g = gradient_of(objective, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    constexpr double kStep = 1e-5;
    Vector up = y, down = y;
    up[i] += kStep;
    down[i] -= kStep;
    const double slope = (objective.value(up) - objective.value(down)) / (2.0 * kStep);
    EXPECT_NEAR(g[i], slope, tolerance * (1.0 + largest(g))) << "channel " << i;
  }
}

// W against central differences of ∇ℓ, for objectives whose W is the Hessian
inline void expect_curvature_is_hessian(const Objective& objective, const Vector& y, double tolerance = 1e-6) {
  const std::vector<Vector> rows = curvature_of(objective, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    constexpr double kStep = 1e-5;
    Vector up = y, down = y;
    up[i] += kStep;
    down[i] -= kStep;
    const Vector above = gradient_of(objective, up), below = gradient_of(objective, down);
    for (std::size_t j = 0; j < y.size(); ++j) {
      const double slope = (above[j] - below[j]) / (2.0 * kStep);
      EXPECT_NEAR(rows[i][j], slope, tolerance * (1.0 + largest(rows[i]))) << i << ", " << j;
    }
  }
}

// W = Wᵀ ⪰ 0
inline void expect_symmetric_and_positive(const Objective& objective, const Vector& y) {
  Random random(5);
  for (int n = 0; n < 50; ++n) {
    const Vector u = normals(random, y.size()), v = normals(random, y.size());
    const Vector wu = product_of(objective, y, u), wv = product_of(objective, y, v);
    const double size = 1e-12 * (1.0 + largest(wu) + largest(wv)) * static_cast<double>(y.size());
    EXPECT_NEAR(dot(u, wv), dot(wu, v), size);
    EXPECT_GE(dot(u, wu), -size);
  }
}

// many rows at once, rows apart, and products written over their directions: all agree with one row at a time
inline void expect_rows_agree(const Objective& objective, const Vector& y) {
  constexpr double kGap = 12345.0;
  const int m = static_cast<int>(y.size()), stride = m + 3, rows = 37;
  Random random(6);
  Vector directions(static_cast<std::size_t>(rows) * stride, kGap), products = directions;
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < m; ++i) directions[static_cast<std::size_t>(r) * stride + i] = random.normal();
  }
  objective.gauss_newton(y, ConstDoubleRows{directions.data(), rows, stride},
                         DoubleRows{products.data(), rows, stride});
  Vector in_place = directions;
  objective.gauss_newton(y, ConstDoubleRows{in_place.data(), rows, stride}, DoubleRows{in_place.data(), rows, stride});
  EXPECT_EQ(products, in_place);
  for (int r = 0; r < rows; ++r) {
    const auto first = directions.begin() + static_cast<std::ptrdiff_t>(r) * stride;
    const Vector alone = product_of(objective, y, Vector(first, first + m));
    for (int i = 0; i < stride; ++i) {
      const double expected = i < m ? alone[static_cast<std::size_t>(i)] : kGap;
      EXPECT_EQ(products[static_cast<std::size_t>(r) * stride + i], expected) << "row " << r << ", channel " << i;
    }
  }
}

// where W is said to be diagonal, products say so too
inline void expect_diagonal_agrees(const Objective& objective, const Vector& y) {
  Vector w(y.size(), NAN);
  ASSERT_TRUE(objective.diagonal(y, w));
  const std::vector<Vector> rows = curvature_of(objective, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = 0; j < y.size(); ++j) EXPECT_EQ(rows[i][j], i == j ? w[i] : 0.0) << i << ", " << j;
  }
}

inline void expect_laws(const Objective& objective, const Vector& y) {
  expect_gradient_is_slope(objective, y);
  expect_symmetric_and_positive(objective, y);
  expect_rows_agree(objective, y);
}

// nothing to correct towards: all is zero, whatever the outputs
inline void expect_silent(const Objective& objective, const Vector& y) {
  EXPECT_TRUE(objective.empty());
  EXPECT_EQ(objective.value(y), 0.0);
  const Vector zero(y.size());
  EXPECT_EQ(gradient_of(objective, y), zero);
  EXPECT_EQ(product_of(objective, y, Vector(y.size(), 1.0)), zero);
  EXPECT_EQ(lag_of(objective, y, plus(y, 1.0, Vector(y.size(), 1.0)), zero), zero);
  EXPECT_EQ(acceleration_of(objective, y, Vector(y.size(), 1.0), Vector(y.size(), 2.0)), zero);
}

inline bool all_finite(const Vector& v) {
  for (const double x : v) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

inline void expect_finite(const Objective& objective, const Vector& y, double reach = 1.0) {
  const Vector u(y.size(), reach);
  EXPECT_TRUE(std::isfinite(objective.value(y)));
  EXPECT_TRUE(all_finite(gradient_of(objective, y)));
  EXPECT_TRUE(all_finite(product_of(objective, y, u)));
  EXPECT_TRUE(all_finite(lag_of(objective, y, plus(y, 1.0, u), u)));
  EXPECT_TRUE(all_finite(acceleration_of(objective, y, u, u)));
}

}  // namespace elastane
