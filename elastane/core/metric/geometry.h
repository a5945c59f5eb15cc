// A metric at work: what it remembers, its scratch, and the four stages of a correction that call it.
//
//   anticipate   what is known before the observation: J, JJᵀ
//   prepare      the metric at the point, given W and the gradient
//   solve        v = −G⁻¹g, with g = Jᵀs
//   learn        after the correction: what lasts
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/base/arena.h"
#include "elastane/core/math/kernels.h"
#include "elastane/core/metric/metric.h"
#include "elastane/core/metric/metric_weights.h"
#include "elastane/core/metric/pullback.h"

namespace elastane {

// what decides how much memory and scratch a metric needs
struct MetricSizes {
  Metric kind = Metric::automatic;
  int latents = 0, outputs = 0;  // d, m
  int rank = 0;                  // r of sketch, fixed and literal; otherwise 0
  int learned_rank = 0;          // columns of L

  bool keeps_factor() const { return kind == Metric::sketch || kind == Metric::fixed || kind == Metric::literal; }
  bool is_dense() const { return kind == Metric::exact || kind == Metric::kalman; }
  // is the dense system solved in output space?
  bool in_outputs() const { return outputs <= latents || kind == Metric::kalman; }
};

// what survives a step; views into the stream's state, all double
struct MetricMemory {
  //                              meaning                                     shape
  double* scale = nullptr;     // running mean of tr(A)/d                     [1]
  double* count = nullptr;     // corrections seen                            [1]
  double* weight = nullptr;    // total weight in the running average         [1]
  double* residual = nullptr;  // running mean eigenvalue outside the sketch  [1]
  double* previous = nullptr;  // p, the last accepted direction, or zeros    [d]
  DoubleRows factor;           // U, orthogonal columns except for literal    [r][d]
  double* strength = nullptr;  // σ², descending                              [r]
  double* mean = nullptr;      // of z                                        [d]
  double* variance = nullptr;  // of z                                        [d]
  DoubleRows covariance;       // P                                           [d][d]

  void lay_out(const MetricSizes& sizes, Cutter& cutter);
};

// scratch of one correction
struct MetricWork {
  //                            meaning                                   shape            written by
  DoubleRows identity;       // unit directions of the smaller space      [n][n]           set-up
  DoubleRows jacobian;       // rows of J; or its columns, if fewer       [n][max(d, m)]   anticipate
  DoubleRows weighted;       // W·(columns of J), or J·P                  [n][max(d, m)]   prepare
  DoubleRows gram;           // JJᵀ, or JPJᵀ                              [n][n]           anticipate
  DoubleRows system;         // the matrix that is solved                 [n][n]           prepare
  DoubleRows dense_weight;   // W, where it is not diagonal               [m][m]           prepare
  double* root = nullptr;    // √W                                        [m]              prepare
  int* pivots = nullptr;     // of the elimination                        [n]              prepare
  DoubleRows probes;         // Ω                                         [r][d]           prepare
  DoubleRows image;          // JΩ, then WJΩ                              [r][m]           prepare
  DoubleRows product;        // Y = AΩ, then N                            [r][d]           prepare
  DoubleRows basis;          // [βU, √(1−β²)N]                            [2r][d]          prepare
  DoubleRows small;          // ΩᵀY, BᵀB, UᵀU                             [2r][2r]         prepare
  DoubleRows vectors;        // its eigenvectors                          [2r][2r]         prepare
  double* values = nullptr;  // its eigenvalues                           [2r]             prepare
  double* latent[4] = {};    // vectors of conjugate gradients and solves [d] each         prepare, solve
  double* output[2] = {};    // the same in output space                  [m] each         solve

  explicit MetricWork(const MetricSizes& s = {}) : sizes(s) {}
  void lay_out(Cutter& cutter);
  MetricSizes sizes;
};

class Geometry {
 public:
  // the caller provides the memory; validate(CorrectorOptions) checks the sizes
  Geometry(const MetricOptions& options, int latents, int outputs, const Kernels& k, const LearnedMetric& learned);

  std::size_t memory_doubles() const;
  void carve_memory(double* at);  // into the stream's state; again in every call, since states move
  void reset_memory();

  void anticipate(Pullback& a);
  // `gradient`, `s` and `v` here and below have their padding to kDoubleLane behind them, zero
  bool prepare(Pullback& a, std::span<const double> gradient);
  // v ← −G⁻¹Jᵀs, given also g = Jᵀs
  bool solve(Pullback& a, std::span<const double> s, std::span<const double> gradient, std::span<double> v);
  // the same, but only where G can be trusted: within the span of a sketch (docs/science.md §1.11); false if nowhere
  bool solve_trusted(Pullback& a, std::span<const double> s, std::span<const double> gradient, std::span<double> v);
  void learn(std::span<const double> z, std::span<const double> step, bool accepted);

  // J from anticipate until learn: products with it need not go through the decoder
  bool holds_jacobian() const { return work.sizes.is_dense(); }
  void push(std::span<const double> v, std::span<double> jv) const;   // J v
  void pull(std::span<const double> s, std::span<double> jts) const;  // Jᵀs

  // kalman: P ← FPFᵀ + diag(noise). F is diagonal; or d/2 complex numbers, real parts first; or dense, by its columns
  void predict_diagonal(std::span<const double> f, std::span<const double> noise);
  void predict_pairs(std::span<const double> f, std::span<const double> noise);
  void predict_dense(ConstDoubleRows f, DoubleRows scratch, std::span<const double> noise);

  void add_noise(ConstDoubleRows q);  // P ← P + Q

  void start_covariance();             // P ← P₀
  void restart_covariance(int count);  // the same for the first latents, and their covariance with the others ← 0
  bool has_covariance() const;         // is P finite, with a diagonal that is not negative?

  Metric kind() const { return options_.kind; }
  const MetricOptions& options() const { return options_; }
  double damping() const { return damping_; }            // λ of this correction
  double base_damping() const { return base_damping_; }  // before it is raised for what a sketch does not cover
  double condition() const { return condition_; }        // of G, or a bound on it

  // the cost of one correction: directions through the decoder, and the metric's own multiply-adds
  struct Cost {
    int anticipated_jvp = 0, anticipated_vjp = 0, jvp = 0, vjp = 0;
    int trusted = 0;  // pairs of jvp and vjp in one solve_trusted
    std::int64_t anticipated = 0, own = 0, trusted_own = 0;
  };
  Cost cost() const;

  MetricMemory memory;
  Arena<MetricWork> work;

 private:
  // exact.cpp, kalman.cpp
  bool prepare_exact(Pullback& a);
  bool prepare_kalman(Pullback& a);
  void read_weight(Pullback& a);
  bool factor_output_system(double delta);
  void solve_output_system(double* s) const;  // s ← (δI + WK)⁻¹s
  void solve_dense_latent(std::span<double> v) const;
  void learn_covariance();
  void symmetrise();
  // conjugate_gradient.cpp
  double apply_metric(Pullback& a, double* direction, double* product);
  bool solve_gradients(Pullback& a, std::span<const double> gradient, std::span<double> v);
  // sketch.cpp
  bool prepare_sketch(Pullback& a, std::span<const double> gradient);
  int draw_probes(std::span<const double> gradient);
  bool orthogonalise(int drawn, double* q) const;
  bool nystrom(int probes);
  void divide_by_root(DoubleRows y);
  bool divide_by_eigenvalues(DoubleRows y);
  bool average(int probes);
  void raise_damping();
  void solve_factor(std::span<const double> gradient, std::span<double> v, bool span_only) const;
  // literal.cpp
  bool prepare_literal(Pullback& a, std::span<const double> gradient);
  void draw_literal_probes(std::span<const double> gradient);
  bool invert_root();
  bool solve_woodbury(std::span<const double> gradient, std::span<double> v);
  // learned.cpp
  bool solve_learned(std::span<const double> gradient, std::span<double> v);
  // geometry.cpp
  bool follow_scale(double trace);
  bool probe_scale(Pullback& a);
  bool is_frozen() const;
  std::uint64_t draw() const;    // where this correction's random numbers begin
  double memory_factor() const;  // β
  double bias() const;           // what the average is divided by
  bool uses_factor() const { return work.sizes.keeps_factor(); }
  bool in_outputs() const { return work.sizes.in_outputs(); }

  MetricOptions options_;
  int latents_ = 0, outputs_ = 0, stride_ = 0, rank_ = 0;
  const Kernels* k_ = nullptr;
  LearnedMetric learned_;
  bool diagonal_weight_ = true;
  double damping_ = 0, base_damping_ = 0, condition_ = 1;
};

}  // namespace elastane
