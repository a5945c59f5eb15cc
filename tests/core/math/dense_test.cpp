// Tests of elastane/core/math/dense.h: triangular solves, elimination and eigenvalues, against Eigen.
#include "elastane/core/math/dense.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

MatrixXd random_matrix(Random& random, int rows, int cols) {
  return MatrixXd::NullaryExpr(rows, cols, [&] { return random.normal(); });
}
MatrixXd random_orthogonal(Random& random, int n) {
  return random_matrix(random, n, n).householderQr().householderQ() * MatrixXd::Identity(n, n);
}
// QᵀΛQ, symmetric to the last bit
MatrixXd symmetric(const MatrixXd& q, const VectorXd& values) {
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

TEST(TriangularSolves, UndoTheProductWithTheFactor) {
  Random random(1);
  for (int n = 1; n <= 24; ++n) {
    MatrixXd r = random_matrix(random, n, n).triangularView<Eigen::Upper>();
    r.diagonal().array() = r.diagonal().array().abs() + 1.0;
    const VectorXd x = random_matrix(random, n, 1);
    Strided factor(r);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) factor.values[i * factor.stride + j] = kNan;  // must not be read
    }
    const auto solved = [&](auto solve, VectorXd b) {
      solve(factor.values.data(), n, factor.stride, b.data());
      return b;
    };
    const double bound = 1e-12 * x.norm() * r.inverse().norm() * r.norm();
    EXPECT_LE((solved(solve_upper, r * x) - x).norm(), bound) << n;
    EXPECT_LE((solved(solve_transposed, r.transpose() * x) - x).norm(), bound) << n;
    EXPECT_LE((solved(solve_cholesky, r.transpose() * r * x) - x).norm(), bound * r.inverse().norm() * r.norm()) << n;
  }
}

TEST(Elimination, SolvesRandomSystemsAsEigenDoes) {
  Random random(2);
  for (int n = 1; n <= 24; ++n) {
    for (int round = 0; round < 10; ++round) {
      MatrixXd a = random_matrix(random, n, n);
      if (round % 2 == 1) a(0, 0) = 0;  // a row must be exchanged
      const VectorXd b = random_matrix(random, n, 1);
      Strided factor(a);
      std::vector<int> pivots(n);
      if (n == 1 && round % 2 == 1) continue;
      ASSERT_TRUE(eliminate(factor.values.data(), n, factor.stride, pivots.data()));
      VectorXd x = b;
      solve_eliminated(factor.values.data(), n, factor.stride, pivots.data(), x.data());
      EXPECT_LE((a * x - b).norm(), 1e-13 * n * a.norm() * x.norm()) << n;
      EXPECT_LE((x - a.fullPivLu().solve(b)).norm(), 1e-12 * a.inverse().norm() * a.norm() * x.norm()) << n;
      EXPECT_TRUE(factor.gaps_are_untouched());
    }
  }
}

TEST(Elimination, KeepsMultipliersWithinOne) {
  // partial pivoting: |L| ≤ 1, without which [1e-20 1; 1 1] loses all digits
  Random random(3);
  for (int n = 2; n <= 16; ++n) {
    MatrixXd a = random_matrix(random, n, n);
    a(0, 0) = 1e-20;
    Strided factor(a);
    std::vector<int> pivots(n);
    ASSERT_TRUE(eliminate(factor.values.data(), n, factor.stride, pivots.data()));
    const MatrixXd lower = factor.matrix().triangularView<Eigen::StrictlyLower>();
    EXPECT_LE(lower.cwiseAbs().maxCoeff(), 1.0) << n;
  }
}

TEST(Elimination, RefusesSingularMatricesAndWhatIsNoNumber) {
  Random random(4);
  for (int n = 1; n <= 9; ++n) {
    std::vector<int> pivots(n);
    Strided zero(MatrixXd::Zero(n, n));
    EXPECT_FALSE(eliminate(zero.values.data(), n, zero.stride, pivots.data())) << n;
    MatrixXd a = random_matrix(random, n, n);
    a.row(n - 1).setZero();
    Strided singular(a);
    EXPECT_FALSE(eliminate(singular.values.data(), n, singular.stride, pivots.data())) << n;
    for (int bad = 0; bad < n * n; ++bad) {
      for (const double value : {kNan, std::numeric_limits<double>::infinity()}) {
        a = random_matrix(random, n, n);
        a(bad / n, bad % n) = value;
        Strided factor(a);
        EXPECT_FALSE(eliminate(factor.values.data(), n, factor.stride, pivots.data())) << value << " at " << bad;
      }
    }
  }
}

// values descend and equal Eigen's, vectors are orthonormal rows, and VᵀΛV is the matrix
void expect_eigen(const MatrixXd& a, const char* what) {
  const int n = static_cast<int>(a.rows());
  Strided work(a), vectors(MatrixXd::Zero(n, n));
  std::vector<double> values(n);
  ASSERT_TRUE(eigen_symmetric(work.values.data(), n, work.stride, values.data(), vectors.values.data(), vectors.stride))
      << what;
  const double size = a.stableNorm(), bound = 1e-14 * n * size;
  const VectorXd expected = Eigen::SelfAdjointEigenSolver<MatrixXd>(a).eigenvalues().reverse();
  const MatrixXd v = vectors.matrix();
  const VectorXd lambda = Eigen::Map<const VectorXd>(values.data(), n);
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(values[i], expected[i], bound) << what << ", " << n << " at " << i;
    EXPECT_LE(values[i], values[i > 0 ? i - 1 : 0]) << what << ", " << n;
  }
  EXPECT_LE((v * v.transpose() - MatrixXd::Identity(n, n)).norm(), 1e-14 * n) << what << ", " << n;
  EXPECT_LE((v.transpose() * lambda.asDiagonal() * v - a).stableNorm(), bound) << what << ", " << n;
  EXPECT_TRUE(work.gaps_are_untouched() && vectors.gaps_are_untouched());
}

TEST(Eigenvalues, OfRandomMatricesAreThoseOfEigen) {
  Random random(5);
  for (int n = 1; n <= kMaxEigen; n += n < 20 ? 1 : 11) {
    for (int round = 0; round < 5; ++round) {
      const MatrixXd a = random_matrix(random, n, n);
      expect_eigen(a + a.transpose(), "indefinite");
      expect_eigen(a.transpose() * a, "positive");
    }
  }
}

TEST(Eigenvalues, OfDegenerateMatricesAreThoseOfEigen) {
  Random random(6);
  for (const int n : {1, 2, 3, 5, 8, 16, 33, 64}) {
    const MatrixXd q = random_orthogonal(random, n);
    expect_eigen(MatrixXd::Zero(n, n), "zero");
    expect_eigen(MatrixXd::Identity(n, n), "identity");
    expect_eigen(MatrixXd::Ones(n, n), "ones");
    expect_eigen(VectorXd::LinSpaced(n, -1, 1).asDiagonal().toDenseMatrix(), "diagonal");
    VectorXd pairs(n), low(VectorXd::Zero(n));
    for (int i = 0; i < n; ++i) pairs[i] = i / 2;
    low[0] = 3;
    expect_eigen(symmetric(q, pairs), "pairs of equal values");
    expect_eigen(symmetric(q, low), "rank one");
    expect_eigen(symmetric(q, VectorXd::Constant(n, 2)), "a multiple of the identity, rounded");
  }
}

TEST(Eigenvalues, OfGradedMatricesAreThoseOfEigen) {
  Random random(7);
  for (const int n : {2, 3, 5, 8, 16, 33}) {
    for (const double ratio : {1e-1, 1e-3, 1e-8}) {
      VectorXd values(n), scale(n);
      for (int i = 0; i < n; ++i) values[i] = std::pow(ratio, i);
      expect_eigen(symmetric(random_orthogonal(random, n), values), "graded values");
      // graded rows and columns, from both ends
      for (int i = 0; i < n; ++i) scale[i] = std::pow(ratio, i);
      const MatrixXd a = random_matrix(random, n, n);
      const MatrixXd graded = scale.asDiagonal() * (a + a.transpose()) * scale.asDiagonal();
      expect_eigen(graded, "graded down");
      expect_eigen(graded.reverse(), "graded up");
    }
  }
}

TEST(Eigenvalues, KeepASmallElementBesideALargeOne) {
  // the square of 1e-9 vanishes beside 1; the element itself must not
  MatrixXd a = MatrixXd::Zero(3, 3);
  a(0, 1) = a(1, 0) = 1;
  a(0, 2) = a(2, 0) = 1e-9;
  a(2, 2) = 1;
  expect_eigen(a, "1e-9 beside 1");
}

TEST(Eigenvalues, DoNotDependOnTheUnit) {
  Random random(8);
  for (const int n : {1, 2, 7, 20}) {
    const MatrixXd a = random_matrix(random, n, n);
    for (const double unit : {1e-200, 1e-160, 1e-60, 1e60, 1e140, 1e200})
      expect_eigen(unit * (a + a.transpose()), "unit");
  }
}

TEST(Eigenvalues, AreRefusedForWhatIsNoNumberOrTooLarge) {
  Random random(9);
  std::vector<double> values(kMaxEigen + 1);
  for (const int n : {1, 2, 3, 8}) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        for (const double value : {kNan, std::numeric_limits<double>::infinity()}) {
          MatrixXd a = random_matrix(random, n, n);
          a = (a + a.transpose()).eval();
          a(i, j) = a(j, i) = value;
          Strided work(a), vectors(MatrixXd::Zero(n, n));
          EXPECT_FALSE(
              eigen_symmetric(work.values.data(), n, work.stride, values.data(), vectors.values.data(), vectors.stride))
              << value << " at " << i << ", " << j << " of " << n;
        }
      }
    }
  }
  for (const int n : {0, kMaxEigen + 1}) {
    Strided work(MatrixXd::Identity(n, n)), vectors(MatrixXd::Zero(n, n));
    EXPECT_FALSE(
        eigen_symmetric(work.values.data(), n, work.stride, values.data(), vectors.values.data(), vectors.stride));
  }
}

}  // namespace
}  // namespace elastane
