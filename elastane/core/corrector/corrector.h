// The corrector: improves a latent inside a trust region, on any LatentModel. correction_run.cpp is the algorithm.
//
//   Corrector corrector = Corrector::create(options, model.latents(), model.outputs(), *kernels().value()).value();
//   std::vector<double> memory(corrector.memory_doubles());          // what lasts; keep it with the latent
//   corrector.reset(memory.data());
//   corrector.predict(f, q, memory.data());                          // for Metric::kalman: the latent moved by F
//   corrector.anticipate(model, z, memory.data());                   // optional
//   StepReport report = corrector.correct(model, objective, budget, z, y, memory.data());
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/base/owned.h"
#include "elastane/core/corrector/corrector_options.h"
#include "elastane/core/corrector/latent_model.h"
#include "elastane/core/corrector/report.h"
#include "elastane/core/gate/learned_gate.h"
#include "elastane/core/metric/metric_weights.h"

namespace elastane {

struct CorrectorParts;
class Geometry;
struct Kernels;

class Corrector {
 public:
  // throws if the options are not valid; `create` returns the reason instead
  Corrector(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
            const LearnedMetric& learned = {}, const LearnedGate& gate = {});
  static Result<Corrector> create(const CorrectorOptions& options, int latents, int outputs, const Kernels& k,
                                  const LearnedMetric& learned = {}, const LearnedGate& gate = {});

  const CorrectorOptions& options() const { return options_; }
  Metric metric() const;

  // What survives a correction: radius, metric, gate. The caller keeps it; all doubles, trivially copyable
  std::size_t memory_doubles() const;
  void reset(double* memory);
  // another run begins: the latent of the step before no longer counts, everything else stays
  void restart(double* memory);

  // Metric::kalman: the latent has moved by z ← f(z) with F = ∂f/∂z, so P ← FPFᵀ + Q. Rows of F and Q have d numbers or
  // more; an empty Q is MetricOptions::process_noise·I. Once per step, before anticipate and correct: a latent that never
  // predicts trusts its first observations for ever. Other metrics carry no covariance, and nothing happens
  void predict(ConstDoubleRows f, ConstDoubleRows q, double* memory);
  void predict(ConstDoubleRows f, double* memory) { predict(f, {}, memory); }

  // the part of a correction at z that needs no observation; a call of correct at the same z then takes less time
  void anticipate(LatentModel& model, std::span<const double> z, double* memory);

  // z: the proposal, replaced by what was accepted or left as it is; y: its outputs
  StepReport correct(LatentModel& model, const Objective& objective, const Budget& budget, std::span<double> z,
                     std::span<double> y, double* memory);

  void forget();  // what was anticipated belongs to another z

  Geometry& geometry();
  // The gate's features in the last correction, for a gate that decides once per step; empty if the step ended before
  // the gate was asked. Training examples for a learned gate are made of them
  std::span<const double> gate_features() const;

  // Counted multiply-adds of a whole correction at most: c_gate + K_max·c_micro. The first micro-step's read is that of
  // the step itself, which happens without a correction, too
  std::int64_t most_macs(const LatentCost& cost) const;
  std::int64_t gate_macs() const;  // of one decision of the gate
  // of one micro-step at most, and of its first part, which anticipate takes over
  std::int64_t micro_step_macs(const LatentCost& cost) const;
  std::int64_t anticipated_macs(const LatentCost& cost) const;

 private:
  friend class CorrectionRun;  // one correction under way, with these parts

  int most_depth() const;  // K_max
  std::size_t gate_offset() const;

  CorrectorOptions options_;
  Owned<CorrectorParts> parts_;
};

}  // namespace elastane
