// Construction of a metric, which allocates its scratch.
#include <algorithm>

#include "elastane/core/metric/geometry.h"

namespace elastane {
namespace {

MetricSizes metric_sizes(const MetricOptions& options, int latents, int outputs, int learned_rank) {
  MetricSizes sizes{.kind = options.kind, .latents = latents, .outputs = outputs, .learned_rank = learned_rank};
  if (sizes.kind == Metric::automatic) sizes.kind = choose_metric(latents, outputs);
  if (sizes.keeps_factor()) sizes.rank = std::min(options.rank, latents);
  return sizes;
}

}  // namespace

void MetricWork::lay_out(Cutter& cutter) {
  const int d = sizes.latents, m = sizes.outputs, r = sizes.rank;
  const int n = !sizes.is_dense() ? 0 : sizes.in_outputs() ? m : d;  // the smaller space
  const int longer = sizes.in_outputs() ? d : m;
  identity = cutter.double_rows(n, n);
  jacobian = cutter.double_rows(n, longer);
  weighted = cutter.double_rows(sizes.kind == Metric::kalman || !sizes.in_outputs() ? n : 0, longer);
  gram = cutter.double_rows(n, n);
  system = cutter.double_rows(n, n);
  dense_weight = cutter.double_rows(sizes.in_outputs() ? n : 0, n);
  root = cutter.doubles(sizes.is_dense() ? m : 0);
  pivots = cutter.array<int>(as_size(n));
  const int columns = sizes.kind == Metric::learned ? sizes.learned_rank : r;
  probes = cutter.double_rows(columns, d);
  image = cutter.double_rows(r, m);
  product = cutter.double_rows(r, d);
  basis = cutter.double_rows(2 * r, d);
  small = cutter.double_rows(2 * columns, 2 * columns);
  vectors = cutter.double_rows(2 * r, 2 * r);
  values = cutter.doubles(2 * columns);
  for (double*& vector : latent) vector = cutter.doubles(d);
  for (double*& vector : output) vector = cutter.doubles(m);
}

Geometry::Geometry(const MetricOptions& options, int latents, int outputs, const Kernels& k,
                   const LearnedMetric& learned)
    : work(metric_sizes(options, latents, outputs, learned.factor.count)),
      options_(options),
      latents_(latents),
      outputs_(outputs),
      stride_(double_stride(latents)),
      rank_(work.sizes.rank),
      k_(&k),
      learned_(learned) {
  options_.kind = work.sizes.kind;
  for (int i = 0; i < work.identity.count; ++i) work.identity[i][i] = 1;
}

}  // namespace elastane
