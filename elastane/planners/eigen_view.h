// The planners' arrays as Eigen maps. Only for our sources, so that no public header needs Eigen.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "elastane/planners/matrix.h"

namespace elastane::planners {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Map<RowMajor> as_eigen(Matrix& m) { return {m.values().data(), m.rows(), m.columns()}; }
inline Eigen::Map<const RowMajor> as_eigen(const Matrix& m) { return {m.values().data(), m.rows(), m.columns()}; }
inline Eigen::Map<Eigen::VectorXd> as_eigen(std::span<double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<const Eigen::VectorXd> as_eigen(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<Eigen::VectorXd> as_eigen(std::vector<double>& x) { return as_eigen(std::span(x)); }

}  // namespace elastane::planners
