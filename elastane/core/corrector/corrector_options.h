// What can be chosen about a correction.
#pragma once

#include "elastane/core/base/result.h"
#include "elastane/core/corrector/retraction.h"
#include "elastane/core/corrector/trust.h"
#include "elastane/core/gate/gate.h"
#include "elastane/core/metric/metric.h"

namespace elastane {

struct CorrectorOptions {
  MetricOptions metric;
  TrustOptions trust;
  RetractionOptions retraction;
  GateOptions gate;
};
Status validate(const CorrectorOptions& options);

}  // namespace elastane
