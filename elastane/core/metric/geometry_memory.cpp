// Real-time code only.
// Where a metric's memory lies in the stream's state. Found again in every call, since a state may move between steps.
#include "elastane/core/metric/geometry.h"

namespace elastane {

void MetricMemory::lay_out(const MetricSizes& sizes, Cutter& cutter) {
  const int d = sizes.latents, factored = sizes.keeps_factor() ? 1 : 0;
  const int averaged = sizes.kind == Metric::latent_covariance ? d : 0;
  scale = cutter.doubles(1);
  count = cutter.doubles(1);
  weight = cutter.doubles(1);
  residual = cutter.doubles(1);
  previous = cutter.doubles(factored * d);
  factor = cutter.double_rows(sizes.rank, d);
  strength = cutter.doubles(factored * sizes.rank);
  mean = cutter.doubles(averaged);
  variance = cutter.doubles(averaged);
  covariance = cutter.double_rows(sizes.kind == Metric::kalman ? d : 0, d);
}

std::size_t Geometry::memory_doubles() const {
  MetricMemory measured;
  Cutter cutter;
  measured.lay_out(work.sizes, cutter);
  return cutter.used_doubles();
}

void Geometry::carve_memory(double* at) {
  Cutter cutter(at);
  memory.lay_out(work.sizes, cutter);
}

void Geometry::reset_memory() {
  *memory.scale = *memory.count = *memory.weight = *memory.residual = 0;
  for (int i = 0; i < stride_ && memory.previous != nullptr && uses_factor(); ++i) memory.previous[i] = 0;
  for (int j = 0; j < memory.factor.count; ++j) {
    for (int i = 0; i < stride_; ++i) memory.factor[j][i] = 0;
    memory.strength[j] = 0;
  }
  for (int i = 0; i < latents_ && kind() == Metric::latent_covariance; ++i) memory.mean[i] = 0, memory.variance[i] = 1;
  start_covariance();
}

}  // namespace elastane
