// Matrices for tests of small dense systems, whose oracle is Eigen.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

inline MatrixXd random_matrix(Random& random, int rows, int cols) {
  return MatrixXd::NullaryExpr(rows, cols, [&] { return random.normal(); });
}
inline MatrixXd random_orthogonal(Random& random, int n) {
  return random_matrix(random, n, n).householderQr().householderQ() * MatrixXd::Identity(n, n);
}
// QᵀΛQ, symmetric to the last bit
inline MatrixXd symmetric(const MatrixXd& q, const VectorXd& values) {
  const MatrixXd a = q.transpose() * values.asDiagonal() * q;
  return 0.5 * (a + a.transpose());
}

// row-major with a stride beyond n; what lies between is not to be touched
struct Strided {
  explicit Strided(const MatrixXd& a) : n(static_cast<int>(a.rows())), stride(n + 3), values(n * stride, kNan) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) values[i * stride + j] = a(i, j);
    }
  }
  bool gaps_are_untouched() const {
    for (int i = 0; i < n; ++i) {
      for (int j = n; j < stride; ++j) {
        if (!std::isnan(values[i * stride + j])) return false;
      }
    }
    return true;
  }
  MatrixXd matrix() const { return Eigen::Map<const RowMajor>(values.data(), n, stride).leftCols(n); }
  int n, stride;
  std::vector<double> values;
};

}  // namespace elastane
