// Real-time code only.
// Compiles the kernels of forecasters once for each instruction set, as kernels.cpp does with the others.
#include "elastane/core/math/forecast_kernels.h"
#include "elastane/core/math/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elastane/core/math/forecast_kernels.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first
#include "elastane/core/math/forecast-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

const ForecastKernels& forecast_table() {
  static constexpr ForecastKernels kTable = {.isa = isa_of(HWY_TARGET),
                                             .product = symmetric_product,
                                             .shrink = symmetric_shrink,
                                             .dot = dot_padded,
                                             .follow_mixtures = follow_mixtures,
                                             .learn_label = learn_label};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elastane {

const ForecastKernels& forecast_kernels([[maybe_unused]] Isa isa) {
#if (HWY_TARGETS & HWY_AVX3) != 0
  if (isa == Isa::avx512) return N_AVX3::forecast_table();
#endif
#if (HWY_TARGETS & HWY_AVX2) != 0
  if (isa == Isa::avx2) return N_AVX2::forecast_table();
#endif
  return HWY_STATIC_DISPATCH(forecast_table)();
}

}  // namespace elastane
#endif  // HWY_ONCE
