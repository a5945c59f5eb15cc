// Tests of elastane/core/math/dense.h: triangular solves and elimination, against Eigen.
#include "elastane/core/math/dense.h"

#include <gtest/gtest.h>

#include "tests/core/math/matrices.h"

namespace elastane {
namespace {

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

TEST(Elimination, RefusesSingularMatricesAndWhatIsNotFinite) {
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

}  // namespace
}  // namespace elastane
