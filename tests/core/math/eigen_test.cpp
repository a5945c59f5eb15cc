// Tests of elastane/core/math/eigen-inl.h: eigenvalues of small symmetric matrices, of every instruction set, against
// Eigen.
#include <gtest/gtest.h>

#include "tests/core/math/every_isa.h"
#include "tests/core/math/matrices.h"

namespace elastane {
namespace {

class EigenvaluesOf : public EveryIsa {
 protected:
  void expect_eigen(const MatrixXd& a, const char* what) const;
};

INSTANTIATE_TEST_SUITE_P(Isa, EigenvaluesOf, kEveryIsa, isa_name);

// values descend and equal Eigen's, vectors are orthonormal rows, and VᵀΛV is the matrix
void EigenvaluesOf::expect_eigen(const MatrixXd& a, const char* what) const {
  const int n = static_cast<int>(a.rows());
  Strided work(a), vectors(MatrixXd::Zero(n, n));
  std::vector<double> values(n);
  ASSERT_TRUE(
      k->eigen_symmetric(work.values.data(), n, work.stride, values.data(), vectors.values.data(), vectors.stride))
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

TEST_P(EigenvaluesOf, OfRandomMatricesAreThoseOfEigen) {
  Random random(5);
  for (int n = 1; n <= kMaxEigen; n += n < 20 ? 1 : 11) {
    for (int round = 0; round < 5; ++round) {
      const MatrixXd a = random_matrix(random, n, n);
      expect_eigen(a + a.transpose(), "indefinite");
      expect_eigen(a.transpose() * a, "positive");
    }
  }
}

TEST_P(EigenvaluesOf, OfDegenerateMatricesAreThoseOfEigen) {
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

TEST_P(EigenvaluesOf, OfGradedMatricesAreThoseOfEigen) {
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

TEST_P(EigenvaluesOf, KeepASmallElementBesideALargeOne) {
  // the square of 1e-9 vanishes beside 1; the element itself must not
  MatrixXd a = MatrixXd::Zero(3, 3);
  a(0, 1) = a(1, 0) = 1;
  a(0, 2) = a(2, 0) = 1e-9;
  a(2, 2) = 1;
  expect_eigen(a, "1e-9 beside 1");
}

TEST_P(EigenvaluesOf, DoNotDependOnTheUnit) {
  Random random(8);
  for (const int n : {1, 2, 7, 20}) {
    const MatrixXd a = random_matrix(random, n, n);
    for (const double unit : {1e-200, 1e-160, 1e-60, 1e60, 1e140, 1e200})
      expect_eigen(unit * (a + a.transpose()), "unit");
  }
}

TEST_P(EigenvaluesOf, AreRefusedForWhatIsNotFiniteOrTooLarge) {
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
          EXPECT_FALSE(k->eigen_symmetric(work.values.data(), n, work.stride, values.data(), vectors.values.data(),
                                          vectors.stride))
              << value << " at " << i << ", " << j << " of " << n;
        }
      }
    }
  }
  for (const int n : {0, kMaxEigen + 1}) {
    Strided work(MatrixXd::Identity(n, n)), vectors(MatrixXd::Zero(n, n));
    EXPECT_FALSE(
        k->eigen_symmetric(work.values.data(), n, work.stride, values.data(), vectors.values.data(), vectors.stride));
  }
}

}  // namespace
}  // namespace elastane
