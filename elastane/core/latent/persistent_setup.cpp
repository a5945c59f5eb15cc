#include <algorithm>

#include "elastane/core/latent/persistent.h"

namespace elastane {

PersistentOptions spelt_out(PersistentOptions options, int n) {
  if (options.variances.empty()) options.variances.assign(as_size(n), options.variance);
  if (options.noises.empty()) options.noises.assign(as_size(n), options.noise);
  return options;
}

PersistentLatent::PersistentLatent(int latents, int outputs, int coordinates, int moving,
                                   const PersistentOptions& options, const Kernels& k)
    : d_(latents),
      m_(outputs),
      n_(coordinates),
      z_(latents - coordinates),
      still_(coordinates - moving),
      options_(spelt_out(options, coordinates)),
      k_(&k),
      work_(latents, outputs, coordinates) {
  for (int i = 0; i < m_; ++i) work_.unit[i][i] = 1;
}

void PersistentWork::lay_out(Cutter& cutter) {
  const int d = latents, m = outputs, n = coordinates;
  factor = cutter.double_rows(n, n);
  mapped = cutter.double_rows(kMappedRows, std::max(d, n));
  jacobian = cutter.double_rows(m, d);
  for (DoubleRows* square : {&unit, &system, &weight, &state_spread}) *square = cutter.double_rows(m, m);
  for (DoubleRows* wide : {&effect, &gain, &spread}) *wide = cutter.double_rows(n, m);
  pivots = cutter.array<int>(as_size(m));
}

std::size_t PersistentLatent::memory_doubles(int carried) const {
  return as_size(double_stride(1)) + as_size(double_stride(n_)) + as_size(n_) * double_stride(n_) +
         as_size(n_ - still_) * double_stride(carried);
}

}  // namespace elastane
