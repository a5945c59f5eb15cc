// The vector type of the kernels.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_LANES_INL_H_
#undef ELASTANE_LANES_INL_H_
#else
#define ELASTANE_LANES_INL_H_
#endif

#include "elastane/core/base/view.h"
#include "hwy/highway.h"

// no function here, hence no HWY_BEFORE_NAMESPACE
namespace elastane {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kLane>;
using V = hn::Vec<D>;
inline constexpr int kN = static_cast<int>(hn::MaxLanes(D()));

}  // namespace HWY_NAMESPACE
}  // namespace elastane
#endif
