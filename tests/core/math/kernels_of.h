// What tests of kernels against their twins of reference.h share.
#pragma once

#include <limits>

#include "elastane/core/base/denormals.h"
#include "elastane/core/base/random.h"
#include "tests/core/math/every_isa.h"

namespace elastane {

constexpr double kTolerance = 1e-6;  // of the sum of the magnitudes that enter a result
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class KernelsOf : public EveryIsa {
 protected:
  const FlushDenormals flush;  // as in a step
  Random random{static_cast<std::uint64_t>(7)};
};

}  // namespace elastane
