// Real-time code only.
// What a caller can ask of a corrector; correction_run.cpp holds what happens in a correction.
#include "elastane/core/corrector/corrector.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "elastane/core/base/denormals.h"
#include "elastane/core/corrector/correction_cost.h"
#include "elastane/core/corrector/correction_run.h"
#include "elastane/core/corrector/corrector_parts.h"

namespace elastane {

Metric Corrector::metric() const { return parts_->geometry.kind(); }
Geometry& Corrector::geometry() { return parts_->geometry; }
std::size_t Corrector::gate_offset() const { return double_stride(1) + parts_->geometry.memory_doubles(); }
std::size_t Corrector::memory_doubles() const { return gate_offset() + parts_->gatekeeper.memory_doubles(); }
void Corrector::restart(double* memory) { parts_->gatekeeper.restart(memory + gate_offset()); }
void Corrector::forget() { parts_->anticipated = false; }
std::span<const double> Corrector::gate_features() const { return parts_->gatekeeper.features(); }
std::int64_t Corrector::gate_macs() const { return parts_->gatekeeper.macs(); }

std::int64_t Corrector::micro_step_macs(const LatentCost& cost) const {
  return CorrectionCost(options_, parts_->geometry, cost).micro_step;
}
std::int64_t Corrector::anticipated_macs(const LatentCost& cost) const {
  return CorrectionCost(options_, parts_->geometry, cost).anticipated;
}

int Corrector::most_depth() const {
  // an observation counts once: a second micro-step would shrink the covariance by it again
  return metric() == Metric::kalman ? std::min(1, most_steps(options_.gate)) : most_steps(options_.gate);
}

std::int64_t Corrector::most_macs(const LatentCost& cost) const {
  const int most = most_depth();
  return gate_macs() + (most > 0 ? most * micro_step_macs(cost) : cost.read);
}

void Corrector::reset(double* memory) {
  CorrectorParts& parts = *parts_;
  for (std::size_t i = 0; i < memory_doubles(); ++i) memory[i] = 0;
  memory[0] = options_.trust.radius;
  parts.geometry.carve_memory(memory + double_stride(1));
  parts.geometry.reset_memory();
  parts.gatekeeper.reset(memory + gate_offset());
  parts.anticipated = false;
}

void Corrector::predict(ConstDoubleRows f, ConstDoubleRows q, double* memory) {
  CorrectorParts& parts = *parts_;
  parts.anticipated = false;
  const int d = parts.arrays.latents, stride = double_stride(d);
  if (metric() != Metric::kalman || f.count != d || f.stride < d) return;
  const bool given = q.count == d && q.stride >= d;
  const DoubleRows columns{parts.columns.data(), d, stride}, product{parts.product.data(), d, stride};
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) columns[j][i] = f[i][j];
  }
  parts.geometry.carve_memory(memory + double_stride(1));
  double* noise = parts.arrays.bend;  // scratch of a correction, free between them
  for (int i = 0; i < d; ++i) noise[i] = given ? 0.0 : options_.metric.process_noise;
  parts.geometry.predict_dense(columns, product, span_of(noise, d));  // P ← FPFᵀ, plus Q unless given
  if (given) parts.geometry.add_noise(q);
}

void Corrector::anticipate(LatentModel& model, std::span<const double> z, double* memory) {
  const FlushDenormals flush;
  CorrectorParts& parts = *parts_;
  parts.geometry.carve_memory(memory + double_stride(1));
  std::memcpy(parts.arrays.z, z.data(), z.size_bytes());
  const std::span<double> y = span_of(parts.arrays.y, parts.arrays.outputs);
  model.linearise({parts.arrays.z, z.size()}, y);
  PointPullback pullback(model, nullptr, y);
  if (parts.arrays.ahead.count > 0) model.roll_point(parts.arrays.ahead);
  parts.geometry.anticipate(pullback);
  parts.anticipated = true;
}

StepReport Corrector::correct(LatentModel& model, const Objective& objective, const Budget& budget, std::span<double> z,
                              std::span<double> y, double* memory) {
  const FlushDenormals flush;
  CorrectorParts& parts = *parts_;
  parts.geometry.carve_memory(memory + double_stride(1));
  // the radius may come from a snapshot of a stream with other trust options
  memory[0] = std::fmin(std::fmax(memory[0], options_.trust.smallest), options_.trust.largest);
  parts.gatekeeper.forget();
  parts.anticipated = parts.anticipated && std::memcmp(parts.arrays.z, z.data(), z.size_bytes()) == 0;
  CorrectionRun run(*this, model, objective, budget, memory);
  const StepReport report = run.run(z);
  parts.anticipated = false;
  if (!run.was_read()) return report;
  if (report.accepted > 0) std::memcpy(z.data(), parts.arrays.z, z.size_bytes());
  std::memcpy(y.data(), parts.arrays.y, y.size_bytes());
  return report;
}

}  // namespace elastane
