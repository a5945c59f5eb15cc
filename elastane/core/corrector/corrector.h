// The corrector: improves a latent inside a trust region, on any LatentModel. correction_run.cpp is the algorithm.
//
//   Corrector corrector(options, model.latents(), model.outputs(), kernels);
//   std::vector<double> memory(corrector.memory_doubles());          // what lasts; keep it with the latent
//   corrector.reset(memory.data());
//   corrector.anticipate(model, z, memory.data());                   // optional
//   StepReport report = corrector.correct(model, objective, budget, z, y, memory.data());
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/base/arena.h"
#include "elastane/core/corrector/correction_arrays.h"
#include "elastane/core/corrector/correction_cost.h"
#include "elastane/core/corrector/corrector_options.h"
#include "elastane/core/corrector/latent_model.h"
#include "elastane/core/corrector/report.h"
#include "elastane/core/gate/gatekeeper.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {

class Corrector {
 public:
  Corrector(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
            const LearnedMetric& learned = {}, const LearnedGate& gate = {});

  const CorrectorOptions& options() const { return options_; }
  Metric metric() const { return geometry_.kind(); }

  // What survives a correction: radius, metric, gate. The caller keeps it; all doubles, trivially copyable
  std::size_t memory_doubles() const { return gate_offset() + gatekeeper_.memory_doubles(); }
  void reset(double* memory);
  // another run begins: the latent of the step before no longer counts, everything else stays
  void restart(double* memory) { gatekeeper_.restart(memory + gate_offset()); }

  // the part of a correction at z that needs no observation; a call of correct at the same z then takes less time
  void anticipate(LatentModel& model, std::span<const double> z, double* memory);

  // z: the proposal, replaced by what was accepted or left as it is; y: its outputs
  StepReport correct(LatentModel& model, const Objective& objective, const Budget& budget, std::span<double> z,
                     std::span<double> y, double* memory);

  void forget() { anticipated_ = false; }  // what was anticipated belongs to another z

  Geometry& geometry() { return geometry_; }
  // The gate's features in the last correction, for a gate that decides once per step; empty if the step ended before
  // the gate was asked. Training examples for a learned gate are made of them
  std::span<const double> gate_features() const { return gatekeeper_.features(); }

  // Counted multiply-adds of a whole correction at most: c_gate + K_max·c_micro. The first micro-step's read is that of
  // the step itself, which happens without a correction, too
  std::int64_t most_macs(const LatentCost& cost) const;
  std::int64_t gate_macs() const { return gatekeeper_.macs(); }  // of one decision of the gate
  // of one micro-step at most, and of its first part, which anticipate takes over
  std::int64_t micro_step_macs(const LatentCost& cost) const { return correction_cost(cost).micro_step; }
  std::int64_t anticipated_macs(const LatentCost& cost) const { return correction_cost(cost).anticipated; }

 private:
  friend class CorrectionRun;  // one correction under way, with the parts below

  CorrectionCost correction_cost(const LatentCost& cost) const { return {options_, geometry_, cost}; }
  int most_depth() const;  // K_max
  std::size_t gate_offset() const { return double_stride(1) + geometry_.memory_doubles(); }

  CorrectorOptions options_;
  Geometry geometry_;
  Gatekeeper gatekeeper_;
  Arena<CorrectionArrays> arrays_;
  bool anticipated_ = false;                   // y, the rollout and what the metric can know are there
  TimeEstimate micro_step_time_, trial_time_;  // for budgets on a wall clock
};

}  // namespace elastane
