// Real-time code only.
// What a caller can ask of a corrector; correction_run.cpp holds what happens in a correction.
#include "elastane/core/corrector/corrector.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "elastane/core/base/denormals.h"
#include "elastane/core/corrector/correction_run.h"

namespace elastane {

int Corrector::most_depth() const {
  // an observation counts once: a second micro-step would shrink the covariance by it again
  return metric() == Metric::kalman ? std::min(1, most_steps(options_.gate)) : most_steps(options_.gate);
}

std::int64_t Corrector::most_macs(const LatentCost& cost) const {
  const int most = most_depth();
  return gate_macs() + (most > 0 ? most * micro_step_macs(cost) : cost.read);
}

void Corrector::reset(double* memory) {
  for (std::size_t i = 0; i < memory_doubles(); ++i) memory[i] = 0;
  memory[0] = options_.trust.radius;
  geometry_.carve_memory(memory + double_stride(1));
  geometry_.reset_memory();
  gatekeeper_.reset(memory + gate_offset());
  anticipated_ = false;
}

void Corrector::anticipate(LatentModel& model, std::span<const double> z, double* memory) {
  const FlushDenormals flush;
  geometry_.carve_memory(memory + double_stride(1));
  std::memcpy(arrays_.z, z.data(), z.size_bytes());
  const std::span<double> y = span_of(arrays_.y, arrays_.outputs);
  model.linearise({arrays_.z, z.size()}, y);
  PointPullback pullback(model, nullptr, y);
  if (arrays_.ahead.count > 0) model.roll_point(arrays_.ahead);
  geometry_.anticipate(pullback);
  anticipated_ = true;
}

StepReport Corrector::correct(LatentModel& model, const Objective& objective, const Budget& budget, std::span<double> z,
                              std::span<double> y, double* memory) {
  const FlushDenormals flush;
  geometry_.carve_memory(memory + double_stride(1));
  // the radius may come from a snapshot of a stream with other trust options
  memory[0] = std::fmin(std::fmax(memory[0], options_.trust.smallest), options_.trust.largest);
  gatekeeper_.forget();
  anticipated_ = anticipated_ && std::memcmp(arrays_.z, z.data(), z.size_bytes()) == 0;
  const StepReport report = CorrectionRun(*this, model, objective, budget, memory).run(z);
  anticipated_ = false;
  if (report.accepted > 0) std::memcpy(z.data(), arrays_.z, z.size_bytes());
  std::memcpy(y.data(), arrays_.y, y.size_bytes());
  return report;
}

}  // namespace elastane
