// Real-time code only.
// Compiles the kernels once for each instruction set; Highway includes this file again for every one of them.
#include "elastane/core/math/kernels.h"
#include "elastane/core/math/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elastane/core/math/kernels.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first
#include "elastane/core/math/attention-inl.h"
#include "elastane/core/math/attention_rows-inl.h"
#include "elastane/core/math/attention_scoring-inl.h"
#include "elastane/core/math/double_rows-inl.h"
#include "elastane/core/math/eigen-inl.h"
#include "elastane/core/math/elementwise-inl.h"
#include "elastane/core/math/jet-inl.h"
#include "elastane/core/math/linear-inl.h"
#include "elastane/core/math/memory-inl.h"
#include "elastane/core/math/recurrence-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

const Kernels& table() {
  static constexpr Kernels kTable = {
      .isa = isa_of(HWY_TARGET),
      .linear = linear,
      .activate = activate,
      .add = add,
      .multiply = multiply,
      .gated_linear_unit = gated_linear_unit,
      .softplus = softplus_scaled,
      .bound = bound,
      .scale_rows = scale_rows,
      .activation_jet = activation_jet,
      .rms_norm = rms_norm,
      .layer_norm = layer_norm,
      .convolve = convolve,
      .selective_advance = selective_advance,
      .selective_read = selective_read,
      .leaky_advance = leaky_advance,
      .diagonal_advance = diagonal_advance,
      .diagonal_read = diagonal_read,
      .discretise = discretise,
      .convolve_linear = convolve_linear,
      .memory_read = memory_read,
      .memory_fold = memory_fold,
      .memory_write = memory_write,
      .memory_residual = memory_residual,
      .dot = dot,
      .blend = blend,
      .triangle_multiply = triangle_multiply,
      .triangle_update = triangle_update,
      .gru_advance = gru_advance,
      .lstm_advance = lstm_advance,
      .attend_start = attend_start,
      .attend_blocks = attend_blocks,
      .attend_finish = attend_finish,
      .attend_rows = attend_rows,
      .bound_score = bound_score,
      .stride_scores = stride_scores,
      .gram = gram,
      .gram_self = gram_self,
      .combine = combine,
      .add_scaled = add_scaled,
      .shrink = shrink,
      .cholesky = cholesky,
      .eigen_symmetric = eigen_symmetric,
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elastane {

std::span<const CompiledKernels> compiled_kernels() {
  static constexpr CompiledKernels kCompiled[] = {
#if (HWY_TARGETS & HWY_AVX3) != 0
    {HWY_AVX3, &N_AVX3::table},
#endif
#if (HWY_TARGETS & HWY_AVX2) != 0
    {HWY_AVX2, &N_AVX2::table},
#endif
    {kLeastTarget, &HWY_STATIC_DISPATCH(table)},
  };
  return kCompiled;
}

}  // namespace elastane
#endif  // HWY_ONCE
