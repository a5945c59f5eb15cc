// The scans as operations of a graph: batches of sequences, with gradients for everything, start and end included.
//
// Float tensors take the kernels of scan.h, double tensors their naive twins. Work is split over sequences and groups
// of channels in the same way whatever the number of threads, so results do not depend on it.
#pragma once

#include <ATen/ATen.h>

namespace elastane::train {

struct ScanResult {
  at::Tensor y;    // (batch, length, channels)
  at::Tensor end;  // the state after the last step
};

// z_t = z_{t−1} + e_t(z_{t−1} − b_t); e, b (batch, length, channels), start (batch, channels)
ScanResult leaky_scan(const at::Tensor& e, const at::Tensor& b, const at::Tensor& start);

// s_t = s_{t−1} + (Ēs_{t−1} + B̄u_t), y_t = Re Σ C s_t; e, b (2, pairs, channels), or (batch, length, 2, pairs,
// channels) where they change with every step; c (2, pairs, channels), u (batch, length, channels), start (batch, 2,
// pairs, channels). Real parts come first.
ScanResult diagonal_scan(const at::Tensor& e, const at::Tensor& b, const at::Tensor& c, const at::Tensor& u,
                         const at::Tensor& start);

// s_t = e^(Δ_t A)s_{t−1} + Δ_t x_t B_t, y_t = Σ C_t s_t; a (states, channels), delta, x (batch, length, channels),
// b, c (batch, length, states), start (batch, states, channels)
ScanResult selective_scan(const at::Tensor& a, const at::Tensor& delta, const at::Tensor& x, const at::Tensor& b,
                          const at::Tensor& c, const at::Tensor& start);

}  // namespace elastane::train
