// A metric and a corrector by themselves, each with the memory it needs, and a pullback A = JᵀWJ given as matrices.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/corrector/corrector.h"
#include "tests/isa.h"
#include "tests/laws/latents.h"

namespace elastane {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Random& random, int rows, int cols);
VectorXd random_vector(Random& random, int n);
MatrixXd random_orthogonal(Random& random, int n);
MatrixXd random_weight(Random& random, int m);  // BᵀB with B square, and a little of the identity
// decompositions are compiled once, in workbench.cpp: they take a compiler long
double smallest_eigenvalue(const MatrixXd& a);
double largest_eigenvalue(const MatrixXd& a);
MatrixXd best_of_rank(const MatrixXd& a, int rank);  // the nearest matrix of that rank, A symmetric
MatrixXd inverse(const MatrixXd& a);
MatrixXd pseudo_inverse(const MatrixXd& a);
MatrixXd range_basis(const MatrixXd& a);                        // orthonormal columns that span the columns of A
VectorXd solve_positive(const MatrixXd& a, const VectorXd& b);  // A⁻¹b, A ≻ 0

inline Eigen::Map<const VectorXd> as_eigen(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
MatrixXd as_eigen(ConstDoubleRows rows, int n);  // a column for each row

class DensePullback final : public Pullback {
 public:
  DensePullback(MatrixXd jacobian, MatrixXd weight) : j(std::move(jacobian)), w(std::move(weight)) {}

  int latents() const override { return static_cast<int>(j.cols()); }
  int outputs() const override { return static_cast<int>(j.rows()); }
  void jvp(ConstDoubleRows q, DoubleRows jq) override { apply(j, q, jq); }
  void vjp(ConstDoubleRows u, DoubleRows jtu) override { apply(j.transpose(), u, jtu); }
  void weigh(ConstDoubleRows u, DoubleRows wu) override { apply(w, u, wu); }
  bool diagonal(std::span<double> out) override;
  MatrixXd a() const;  // JᵀWJ

  MatrixXd j, w;

 private:
  static void apply(const MatrixXd& matrix, ConstDoubleRows x, DoubleRows y);
};

// a copy with zeros up to the next whole vector, as metrics ask for
inline VectorXd padded(const VectorXd& x) {
  VectorXd wide = VectorXd::Zero(double_stride(static_cast<int>(x.size())));
  wide.head(x.size()) = x;
  return wide;
}

class LoneMetric {
 public:
  LoneMetric(const MetricOptions& options, int d, int m, const LearnedMetric& learned = {})
      : geometry(options, d, m, *kernels(test_isa()).value(), learned), d_(d), m_(m) {
    memory_.resize(geometry.memory_doubles());
    geometry.carve_memory(memory_.data());
    geometry.reset_memory();
  }
  LoneMetric(const LoneMetric&) = delete;  // the geometry points into this very object
  LoneMetric& operator=(const LoneMetric&) = delete;

  bool prepare(Pullback& a, const VectorXd& gradient) {
    geometry.anticipate(a);
    const VectorXd g = padded(gradient);
    return geometry.prepare(a, {g.data(), static_cast<std::size_t>(d_)});
  }
  // −G⁻¹Jᵀs
  VectorXd solve(DensePullback& a, const VectorXd& s);
  // −G⁻¹g, for metrics that do not ask for s
  VectorXd solve(Pullback& a, const VectorXd& s, const VectorXd& gradient) {
    const VectorXd wide_s = padded(s), g = padded(gradient);
    VectorXd v = VectorXd::Zero(double_stride(d_));
    solved = geometry.solve(a, {wide_s.data(), static_cast<std::size_t>(m_)}, {g.data(), static_cast<std::size_t>(d_)},
                            {v.data(), static_cast<std::size_t>(d_)});
    return v.head(d_);
  }

  MatrixXd factor() const { return as_eigen(geometry.memory.factor, d_); }  // U
  MatrixXd probes() const { return as_eigen(geometry.work.probes, d_); }    // Ω
  VectorXd strength() const { return as_eigen(std::span(geometry.memory.strength, geometry.memory.factor.count)); }

  Geometry geometry;
  bool solved = false;

 private:
  int d_, m_;
  std::vector<double> memory_;
};

// a corrector, what it keeps, and the outputs it leaves
struct LoneCorrector {
  LoneCorrector(const CorrectorOptions& options, const LatentModel& model, const LearnedMetric& learned = {},
                const LearnedGate& gate = {})
      : corrector(options, model.latents(), model.outputs(), *kernels(test_isa()).value(), learned, gate),
        memory(corrector.memory_doubles()),
        y(model.outputs()) {
    corrector.reset(memory.data());
  }
  StepReport correct(LatentModel& model, const Objective& objective, Vector& z, const Budget& budget = Budget::none()) {
    return corrector.correct(model, objective, budget, z, y, memory.data());
  }
  double radius() const { return memory[0]; }

  Corrector corrector;
  Vector memory, y;
};

inline Vector random_point(Random& random, int n, double size = 1.0) {
  Vector z(n);
  for (double& v : z) v = size * random.normal();
  return z;
}

// J at z, which becomes the point
MatrixXd jacobian_at(LatentModel& model, const Vector& z);

// an s and L for Metric::learned
struct RandomLearned {
  RandomLearned(Random& random, int d, int rank) : diagonal(d), factor(static_cast<std::size_t>(rank) * stride(d)) {
    for (double& s : diagonal) s = std::exp(random.uniform(-1, 1));
    for (int j = 0; j < rank; ++j) {
      for (int i = 0; i < d; ++i) factor[static_cast<std::size_t>(j) * stride(d) + i] = random.normal();
    }
    view = {diagonal.data(), {factor.data(), rank, stride(d)}};
  }
  RandomLearned(const RandomLearned&) = delete;
  RandomLearned& operator=(const RandomLearned&) = delete;
  static int stride(int d) { return double_stride(d); }

  Vector diagonal, factor;
  LearnedMetric view;
};

// y = Cz with a prior covariance P of z, which solves for itself: v = −(P⁻¹ + CᵀWC)⁻¹g
class GaussianLatent final : public LinearLatent {
 public:
  GaussianLatent(int d, int m, std::uint64_t seed) : LinearLatent(d, m, seed), p(MatrixXd::Identity(d, d)) {}

  MatrixXd decoder() const { return Eigen::Map<const MatrixXd>(c.data(), d_, m_).transpose(); }
  bool solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
             std::span<double> v) override;

  MatrixXd p;
};

// every metric that a plain latent can use; `native` needs one that solves for itself
inline constexpr Metric kPlainMetrics[] = {
    Metric::euclidean, Metric::fixed, Metric::latent_covariance,  Metric::learned, Metric::literal,
    Metric::sketch,    Metric::exact, Metric::conjugate_gradient, Metric::kalman,
};

inline bool all_finite(std::span<const double> x) {
  for (const double value : x) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

}  // namespace elastane
