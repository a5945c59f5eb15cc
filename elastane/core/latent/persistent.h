// Persistent coordinates c: parameters learned from corrections that last, with the sensitivity S = dz/dc carried along.
//
//   c⁺ = ρc            Pc ← ρ²Pc + Q            S ← ρFS + F_c                       with every step
//   z = ζ + S(c − c⁰)  c = c⁰ + Mĉ  MMᵀ = λPc                                       the corrector moves ζ and ĉ
//   S ← S − KzH        Pc ← Pc − KcHPc          H = JS + J_c                        after a correction
//
// In the coordinates (ζ, ĉ) the prior is λI, so every metric works unchanged, and one Gauss–Newton step is the Kalman
// update with P⁻ = [[Pz + SPcSᵀ, SPc], [PcSᵀ, Pc]], Pz = I/λ (Friedland 1969, separate bias; docs/science.md §3.2).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "elastane/core/base/arena.h"
#include "elastane/core/corrector/latent_model.h"
#include "elastane/core/corrector/report.h"
#include "elastane/core/latent/latent_options.h"
#include "elastane/core/math/kernels.h"

namespace elastane {

// fills variances and noises for each of n coordinates
PersistentOptions spelt_out(PersistentOptions options, int n);

// views into the stream's state
struct PersistentMemory {
  double* surprise = nullptr;  // its running mean; 1 is as expected
  double* c = nullptr;         // [n]
  DoubleRows covariance;       // Pc [n][n]
  DoubleRows sensitivity;      // S, one row per moving coordinate: of a whole carried row [moving][carried]
};

inline constexpr int kMappedRows = 16;  // directions mapped at a time

// scratch
struct PersistentWork {
  //                           meaning                    shape    written by
  DoubleRows factor;        // R with RᵀR = λPc; M = Rᵀ   [n][n]   begin
  DoubleRows mapped;        // directions in [z | c]      [16][d]  every verb
  DoubleRows jacobian;      // rows of the inner J        [m][d]   absorb
  DoubleRows unit;          // I                          [m][m]   set-up
  DoubleRows weight;        // W                          [m][m]   absorb, notice
  DoubleRows state_spread;  // X: JPzJᵀ, then with HPcHᵀ  [m][m]   absorb
  DoubleRows system;        // I + WX                     [m][m]   absorb
  DoubleRows effect;        // Hᵀ, then PcHᵀ              [n][m]   absorb
  DoubleRows gain;          // ((I + WX)⁻¹W·effectᵀ)ᵀ     [n][m]   absorb
  DoubleRows spread;        // PcHᵀ                       [n][m]   absorb
  int* pivots = nullptr;    // of the elimination         [m]      absorb

  PersistentWork(int d, int m, int n) : latents(d), outputs(m), coordinates(n) {}
  void lay_out(Cutter& cutter);
  int latents, outputs, coordinates;
};

// a latent model of [z | c] as one of (ζ, ĉ)
class PersistentLatent final : public LatentModel {
 public:
  // The inner model has d latents, of which the last n are c, and of those the last `moving` enter its dynamics. Only
  // these have a sensitivity: coordinates of the read-out alone do not change z, and the small correlation of z and c
  // that a shared correction causes is neglected.
  PersistentLatent(int latents, int outputs, int coordinates, int moving, const PersistentOptions& options,
                   const Kernels& k);

  std::size_t memory_doubles(int carried) const;
  void carve_memory(double* at, int carried);
  void reset_memory();
  void forget_past();  // z starts again, and does not depend on c yet
  PersistentMemory memory;

  // before a step: c and its covariance one step further
  void leak();
  // before a correction at [z | c], where (ζ, ĉ) = (z, 0)
  bool begin(LatentModel& inner);
  // (ζ, ĉ) to [z | c] and back, for vectors
  void to_inner(std::span<const double> q, std::span<double> zc) const;
  // after a step of length α was accepted at the inner model's point: sensitivity and covariance that remain
  bool absorb(const Objective& objective, std::span<const double> y, double alpha);

  // with every correction: updates the running surprise
  void notice(const Objective& objective, std::span<const double> y, const StepReport& report);

  int latents() const override { return d_; }
  int outputs() const override { return m_; }
  LatentCost cost() const override { return cost_over(*inner_); }
  LatentCost cost_over(const LatentModel& inner) const;  // also before the first correction
  double precision() const override { return inner_->precision(); }
  void linearise(std::span<const double> q, std::span<double> y) override;
  void output(std::span<const double> q, std::span<double> y) override;
  void jvp(ConstDoubleRows q, DoubleRows jq) override;
  void vjp(ConstDoubleRows w, DoubleRows jtw) override;
  void jacobian(ConstDoubleRows units, DoubleRows rows) override;
  void second(std::span<const double> q, std::span<double> d2) override;
  void roll_point(DoubleRows y) override { inner_->roll_point(y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override;
  void roll(std::span<const double> q, DoubleRows y) override;

 private:
  void tangent_to_inner(const double* q, double* zc) const;
  void adjoints_to_outer(DoubleRows w);
  bool factorise();
  void measure_effect();
  bool absorb_into_sensitivity(double alpha);
  bool absorb_into_covariance(double alpha);
  bool solve_gain(ConstDoubleRows x);
  std::span<double> mapped() const { return span_of(work_.mapped[0], d_); }

  int d_, m_, n_, z_;  // latents, outputs, coordinates; z_ = d_ − n_
  int still_;          // coordinates before the first that moves
  PersistentOptions options_;
  const Kernels* k_;
  LatentModel* inner_ = nullptr;
  Arena<PersistentWork> work_;
};

}  // namespace elastane
