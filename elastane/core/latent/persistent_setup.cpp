#include <algorithm>

#include "elastane/core/latent/persistent.h"

namespace elastane {

PersistentOptions spelt_out(PersistentOptions options, int n) {
  if (options.variances.empty()) options.variances.assign(static_cast<std::size_t>(n), options.variance);
  if (options.noises.empty()) options.noises.assign(static_cast<std::size_t>(n), options.noise);
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
      k_(&k) {
  pivots_.resize(static_cast<std::size_t>(m_));
  carve();
}

PersistentLatent::PersistentLatent(const PersistentLatent& other)
    : d_(other.d_),
      m_(other.m_),
      n_(other.n_),
      z_(other.z_),
      still_(other.still_),
      options_(other.options_),
      k_(other.k_),
      pivots_(other.pivots_) {
  carve();
}

PersistentLatent& PersistentLatent::operator=(const PersistentLatent& other) {
  PersistentLatent copy(other);
  *this = std::move(copy);
  return *this;
}

void PersistentLatent::carve() {
  const auto lay_out = [&](double* begin) {
    std::size_t used = 0;
    const auto take = [&](int rows, int n) {
      const int stride = double_stride(n);
      double* here = begin == nullptr ? nullptr : begin + used;
      used += static_cast<std::size_t>(rows) * stride;
      return DoubleRows{here, rows, stride};
    };
    factor_ = take(n_, n_);
    mapped_ = take(16, std::max(d_, n_));
    jacobian_ = take(m_, d_);
    for (DoubleRows* square : {&unit_, &system_, &weight_, &state_spread_}) *square = take(m_, m_);
    for (DoubleRows* wide : {&effect_, &gain_, &spread_}) *wide = take(n_, m_);
    return used;
  };
  scratch_.assign(lay_out(nullptr), 0.0);
  lay_out(scratch_.data());
  for (int i = 0; i < m_; ++i) unit_[i][i] = 1;
}

std::size_t PersistentLatent::memory_doubles(int carried) const {
  return static_cast<std::size_t>(double_stride(1)) + static_cast<std::size_t>(double_stride(n_)) +
         static_cast<std::size_t>(n_) * double_stride(n_) +
         static_cast<std::size_t>(n_ - still_) * double_stride(carried);
}

}  // namespace elastane
