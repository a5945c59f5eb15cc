// Compiles the scans once for each instruction set.
#include "elastane/train/scan.h"

#include <string>

#include "elastane/core/math/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elastane/train/scan.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first
#include "elastane/train/scan-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace elastane::train {
namespace HWY_NAMESPACE {

const ScanKernels& table() {
  static constexpr ScanKernels kTable = {
      .isa = isa_of(HWY_TARGET),
      .leaky = leaky,
      .leaky_back = leaky_back,
      .diagonal = diagonal,
      .diagonal_back = diagonal_back,
      .selective = selective,
      .selective_back = selective_back,
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane::train
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elastane::train {

Result<const ScanKernels*> scan_kernels(Isa isa) {
  const auto chosen = kernels(isa);
  if (!chosen) return Error{chosen.error()};
#if (HWY_TARGETS & HWY_AVX3) != 0
  if ((*chosen)->isa == Isa::avx512) return &N_AVX3::table();
#endif
#if (HWY_TARGETS & HWY_AVX2) != 0
  if ((*chosen)->isa == Isa::avx2) return &N_AVX2::table();
#endif
  return &HWY_STATIC_DISPATCH(table)();
}

const ScanKernels& scan_kernels() {
  static const ScanKernels* best = scan_kernels(Isa::automatic).value();
  return *best;
}

}  // namespace elastane::train
#endif  // HWY_ONCE
