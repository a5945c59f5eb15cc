// Real-time code only.
// Where a metric's memory and scratch lie, and what a correction costs. Laid out twice with the same calls: once to
// measure, once for good. Hot, since a state may move between two steps.
#include "elastane/core/metric/geometry.h"

namespace elastane {

Geometry::Geometry(const MetricOptions& options, int latents, int outputs, const Kernels& k,
                   const LearnedMetric& learned)
    : options_(options),
      latents_(latents),
      outputs_(outputs),
      stride_(double_stride(latents)),
      k_(&k),
      learned_(learned) {
  if (options_.kind == Metric::automatic) options_.kind = choose_metric(latents, outputs);
  if (uses_factor()) rank_ = options_.rank < latents ? options_.rank : latents;
}

template <class Take>
void Geometry::lay_out_memory(Take take) {
  const bool factored = uses_factor();
  memory.scale = take(1).data;
  memory.count = take(1).data;
  memory.weight = take(1).data;
  memory.residual = take(1).data;
  memory.previous = take(factored ? 1 : 0, latents_).data;
  memory.factor = take(rank_, latents_);
  memory.strength = take(factored ? 1 : 0, rank_).data;
  memory.mean = take(kind() == Metric::latent_covariance ? 1 : 0, latents_).data;
  memory.variance = take(kind() == Metric::latent_covariance ? 1 : 0, latents_).data;
  memory.covariance = take(kind() == Metric::kalman ? latents_ : 0, latents_);
}

template <class Take>
void Geometry::lay_out_work(Take take) {
  const bool dense = kind() == Metric::exact || kind() == Metric::kalman;
  const int n = !dense ? 0 : in_outputs() ? outputs_ : latents_;
  const int longer = in_outputs() ? latents_ : outputs_;
  work.identity = take(n, n);
  work.jacobian = take(n, longer);
  work.weighted = take(kind() == Metric::kalman || !in_outputs() ? n : 0, longer);
  work.gram = take(n, n);
  work.system = take(n, n);
  work.dense_weight = take(in_outputs() ? n : 0, n);
  work.root = take(dense ? 1 : 0, outputs_).data;
  work.pivots = reinterpret_cast<int*>(take(dense ? 1 : 0, n).data);
  const int probes = kind() == Metric::learned ? learned_.factor.count : rank_;
  work.probes = take(probes, latents_);
  work.image = take(rank_, outputs_);
  work.product = take(rank_, latents_);
  work.basis = take(2 * rank_, latents_);
  work.small = take(2 * probes, 2 * probes);
  work.vectors = take(2 * rank_, 2 * rank_);
  work.values = take(1, 2 * probes).data;
  for (double*& latent : work.latent) latent = take(1, latents_).data;
  for (double*& output : work.output) output = take(1, outputs_).data;
}

namespace {

// hands out rows one after the other; from nothing, it measures
struct Cutter {
  double* at;
  std::size_t used = 0;
  DoubleRows take(int rows, int n) {
    const int stride = double_stride(n);
    double* here = at == nullptr ? nullptr : at + used;
    used += static_cast<std::size_t>(rows) * stride;
    return {here, rows, stride};
  }
};

}  // namespace

std::size_t Geometry::memory_doubles() const {
  Geometry measure = *this;
  Cutter cutter{nullptr};
  measure.lay_out_memory([&](int rows, int n = 1) { return cutter.take(rows, n); });
  return cutter.used;
}

void Geometry::carve_memory(double* at) {
  Cutter cutter{at};
  lay_out_memory([&](int rows, int n = 1) { return cutter.take(rows, n); });
}

std::size_t Geometry::work_doubles() const {
  Geometry measure = *this;
  Cutter cutter{nullptr};
  measure.lay_out_work([&](int rows, int n) { return cutter.take(rows, n); });
  return cutter.used;
}

void Geometry::carve_work(double* at) {
  Cutter cutter{at};
  lay_out_work([&](int rows, int n) { return cutter.take(rows, n); });
  for (int i = 0; i < work.identity.count; ++i) work.identity[i][i] = 1;
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

Geometry::Cost Geometry::cost() const {
  const std::int64_t d = latents_, m = outputs_, r = rank_;
  switch (kind()) {
    case Metric::exact:
      if (in_outputs()) {
        return {.anticipated_vjp = outputs_,
                .anticipated = m * m * d / 2,
                .own = m * m * m / 6 + m * m + m * d,
                .trusted_own = m * m + m * d};
      }
      return {.anticipated_jvp = latents_, .own = d * d * m + d * d * d / 6 + d * d, .trusted_own = d * d};
    case Metric::kalman:
      return {.anticipated_vjp = outputs_,
              .own = m * d * d + m * m * d + m * m * m / 6 + 2 * m * m * d + m * d * d,
              .trusted_own = m * m + m * d};
    case Metric::conjugate_gradient:
      return {.jvp = options_.products + (options_.relative ? 1 : 0),
              .vjp = options_.products,
              .trusted = options_.products,
              .own = std::int64_t{options_.products} * 6 * d,
              .trusted_own = std::int64_t{options_.products} * 6 * d};
    case Metric::sketch:
    case Metric::fixed:
    case Metric::literal:
      return {.jvp = rank_,
              .vjp = rank_,
              .own = 2 * r * r * d + r * r * d + r * r * d + 4 * r * r * d / 2 + 2 * r * r * d + 9 * 8 * r * r * r +
                     3 * r * d,
              .trusted_own = kind() == Metric::literal ? 0 : 2 * r * d};
    case Metric::learned: {
      const std::int64_t rank = learned_.factor.count;
      return {.jvp = options_.relative ? 1 : 0, .own = d * (2 + 2 * rank + rank * rank)};
    }
    case Metric::native: return {};
    default: return {.jvp = options_.relative ? 1 : 0, .own = d};
  }
}

}  // namespace elastane
