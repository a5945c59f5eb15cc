// The corrector: improves a latent inside a trust region, on any LatentModel. refine.cpp is the algorithm.
//
//   Corrector corrector(options, model.latents(), model.outputs(), kernels);
//   std::vector<double> memory(corrector.memory_doubles());          // what lasts; keep it with the latent
//   corrector.reset(memory.data());
//   corrector.anticipate(model, z, memory.data());                   // optional
//   StepReport report = corrector.correct(model, objective, budget, z, y, memory.data());
#pragma once

#include <cstddef>
#include <span>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/base/buffer.h"
#include "elastane/core/corrector/latent_model.h"
#include "elastane/core/corrector/report.h"
#include "elastane/core/corrector/retraction.h"
#include "elastane/core/corrector/trust.h"
#include "elastane/core/gate/gatekeeper.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {

struct CorrectorOptions {
  MetricOptions metric;
  TrustOptions trust;
  RetractionOptions retraction;
  GateOptions gate;
};
Status validate(const CorrectorOptions& options);

class Corrector {
 public:
  Corrector(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
            const LearnedMetric& learned = {}, const LearnedGate& gate = {});
  Corrector(const Corrector& other);
  Corrector& operator=(const Corrector& other);
  Corrector(Corrector&&) noexcept = default;
  Corrector& operator=(Corrector&&) noexcept = default;
  ~Corrector() = default;

  const CorrectorOptions& options() const { return options_; }
  Metric metric() const { return geometry_.kind(); }

  // what survives a correction: radius, metric, gate. Kept by the caller, all doubles, trivially copyable
  std::size_t memory_doubles() const { return gate_offset() + gatekeeper_.memory_doubles(); }
  void reset(double* memory);
  // another run begins: the latent before it means nothing, all else stays
  void restart(double* memory) { gatekeeper_.restart(memory + gate_offset()); }

  // the part of a correction at z that needs no observation; correct at the same z then takes less
  void anticipate(LatentModel& model, std::span<const double> z, double* memory);

  // z: the proposal, replaced by what was accepted or left as it is; y: its outputs
  StepReport correct(LatentModel& model, const Objective& objective, const Budget& budget, std::span<double> z,
                     std::span<double> y, double* memory);

  void forget() { anticipated_ = false; }  // what was anticipated belongs to another z

  Geometry& geometry() { return geometry_; }
  // What the gate looked at in the last correction, if it is one that decides once a step; nothing if it was not asked,
  // because the step ended before. Lessons for a learned gate are made of it
  std::span<const double> gate_features() const { return gatekeeper_.features(); }

  // Counted multiply-adds: of a whole correction at most, c_gate + K_max·c_micro. The first micro-step's read is that
  // of the step itself, which is there without any
  std::int64_t most_macs(const LatentCost& cost) const;
  // of one question to the gate; of one micro-step at most, and of its first part, which anticipate takes over
  std::int64_t gate_macs() const { return gatekeeper_.macs(); }
  std::int64_t micro_step_macs(const LatentCost& cost) const;
  std::int64_t anticipated_macs(const LatentCost& cost) const;
  std::int64_t bend_macs(const LatentCost& cost) const;  // of a trial's second-order term

 private:
  class Move;  // one correction under way (refine.h)

  void carve();
  int most_depth() const;  // K_max
  std::size_t gate_offset() const { return double_stride(1) + geometry_.memory_doubles(); }
  std::int64_t push_macs(const LatentCost& cost) const;  // of one J v
  std::int64_t pull_macs(const LatentCost& cost) const;  // of one Jᵀs

  CorrectorOptions options_;
  int latents_, outputs_;
  Geometry geometry_;
  Gatekeeper gatekeeper_;
  bool anticipated_ = false;              // y, the rollout and what the metric can know are there
  TimeEstimate micro_step_, trial_step_;  // for budgets on a wall clock

  //               meaning                                  shape          written by
  double* z_;             // the point                             [d]            begin, accept
  double* start_;         // z⁰, where something pulls back to it  [d]            begin
  double* base_;          // z + β(z⁰ − z)                         [d]            retract
  double* g_;             // ∇_z ℓ                                 [d]            score
  double* v_;             // −G⁻¹g                                 [d]            solve
  double* trial_;         // Retr_z(αv)                            [d]            retract
  double* bend_;          // the second-order term                 [d]            retract
  double* pull_;          // what it is solved from                [d]            retract
  double* y_;             // g(z)                                  [m]            begin, accept
  double* s_;             // ∇_y ℓ                                 [m]            score
  double* a_;             // Jv                                    [m]            solve
  double* w_;             // W times something                     [m]            solve, retract
  double* jet_;           // D²g[αv, αv]                           [m]            retract
  double* lag_;           // what the second-order term pulls back [m]            retract
  double* moved_;         // g(trial)                              [m]            trial
  DoubleRows ahead_;      // g(Φ_h(z))                             [H − 1][m]     rollout
  DoubleRows tilt_;       // J DΦ_h v                              [H − 1][m]     rollout
  DoubleRows tried_;      // g(Φ_h(trial))                         [H − 1][m]     trial
  std::size_t used_ = 0;  // doubles of all of it
  Buffer memory_;
};

}  // namespace elastane
