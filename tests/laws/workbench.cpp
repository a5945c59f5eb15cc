// The parts of the workbench that take long to compile.
#include "tests/laws/workbench.h"

#include <Eigen/Dense>

namespace elastane {

MatrixXd random_matrix(Random& random, int rows, int cols) {
  MatrixXd a(rows, cols);
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) a(i, j) = random.normal();
  }
  return a;
}
VectorXd random_vector(Random& random, int n) { return random_matrix(random, n, 1); }
MatrixXd random_orthogonal(Random& random, int n) { return random_matrix(random, n, n).householderQr().householderQ(); }
MatrixXd random_weight(Random& random, int m) {
  const MatrixXd b = random_matrix(random, m, m) / std::sqrt(m);
  return b.transpose() * b + 0.1 * MatrixXd::Identity(m, m);
}

double smallest_eigenvalue(const MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
}
double largest_eigenvalue(const MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}
MatrixXd best_of_rank(const MatrixXd& a, int rank) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(a);
  const MatrixXd top = eigen.eigenvectors().rightCols(rank);
  return top * eigen.eigenvalues().tail(rank).asDiagonal() * top.transpose();
}
MatrixXd inverse(const MatrixXd& a) { return a.inverse(); }
MatrixXd pseudo_inverse(const MatrixXd& a) { return a.completeOrthogonalDecomposition().pseudoInverse(); }
MatrixXd range_basis(const MatrixXd& a) {
  return a.householderQr().householderQ() * MatrixXd::Identity(a.rows(), a.cols());
}
VectorXd solve_positive(const MatrixXd& a, const VectorXd& b) { return a.ldlt().solve(b); }

MatrixXd as_eigen(ConstDoubleRows rows, int n) {
  MatrixXd a(n, rows.count);
  for (int j = 0; j < rows.count; ++j) {
    for (int i = 0; i < n; ++i) a(i, j) = rows[j][i];
  }
  return a;
}

bool DensePullback::diagonal(std::span<double> out) {
  if (!MatrixXd(w - MatrixXd(w.diagonal().asDiagonal())).isZero(0)) return false;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = w(i, i);
  return true;
}
MatrixXd DensePullback::a() const { return j.transpose() * w * j; }
void DensePullback::apply(const MatrixXd& matrix, ConstDoubleRows x, DoubleRows y) {
  for (int r = 0; r < x.count; ++r) {
    const VectorXd product = matrix * as_eigen(std::span(x[r], matrix.cols()));
    for (Eigen::Index i = 0; i < product.size(); ++i) y[r][i] = product[i];
  }
}

VectorXd LoneMetric::solve(DensePullback& a, const VectorXd& s) { return solve(a, s, a.j.transpose() * s); }

MatrixXd jacobian_at(LatentModel& model, const Vector& z) {
  const int d = model.latents(), m = model.outputs();
  Vector y(m);
  model.linearise(z, y);
  const MatrixXd unit = MatrixXd::Identity(d, d);
  MatrixXd j(m, d);
  model.jvp({unit.data(), d, d}, {j.data(), d, m});  // a row of the view is a column of J
  return j;
}

bool GaussianLatent::solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
                           std::span<double> v) {
  const MatrixXd unit = MatrixXd::Identity(m_, m_), j = decoder();
  MatrixXd w(m_, m_);
  objective.gauss_newton(y, {unit.data(), m_, m_}, {w.data(), m_, m_});
  const MatrixXd precision = p.inverse() + j.transpose() * w * j;
  const VectorXd step = -precision.ldlt().solve(as_eigen(gradient));
  for (int i = 0; i < d_; ++i) v[i] = step[i];
  return step.allFinite();
}

}  // namespace elastane
