// The learned metric in the graph, for any gradient: G = diag(s) + LLᵀ, and v = −G⁻¹g.
#pragma once

#include <ATen/ATen.h>

namespace elastane::train {

// s from the learned parameter, which may be any number; s > 0, so that G is positive definite
at::Tensor metric_diagonal(const at::Tensor& learned);

// G⁻¹g for rows g (batch, d), by Woodbury; diagonal (d), factor L (d, r)                      core/metric/literal.cpp
at::Tensor solve_learned(const at::Tensor& diagonal, const at::Tensor& factor, const at::Tensor& g);

}  // namespace elastane::train
