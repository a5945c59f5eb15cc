// The scans as one writes them with LibTorch's operations: what ours are measured against.
#pragma once

#include <ATen/ATen.h>

namespace elastane::bench {

// s_t = a_t s_{t−1} + b_t over dimension 1, from zero: a loop of fused operations, unbound once and stacked once
at::Tensor scan_by_loop(const at::Tensor& a, const at::Tensor& b);

// the same in a depth of log₂ length: pairs of steps become one, until there is one left (Blelloch 1990)
at::Tensor scan_in_parallel(const at::Tensor& a, const at::Tensor& b);

}  // namespace elastane::bench
