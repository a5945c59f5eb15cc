// The scans as one writes them with LibTorch's operations: what ours are measured against.
#pragma once

#include <ATen/ATen.h>

namespace elastane::app {

// s_t = a_t s_{t−1} + b_t over dimension 1, from zero: a loop of fused operations, unbound once and stacked once
at::Tensor scan_by_loop(const at::Tensor& a, const at::Tensor& b);

// the same in ⌈log₂ length⌉ rounds of doubling (Hillis and Steele 1986)
at::Tensor scan_by_doubling(at::Tensor a, at::Tensor b);

}  // namespace elastane::app
