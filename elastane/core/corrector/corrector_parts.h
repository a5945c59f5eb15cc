// What a corrector is made of, hidden from its header.
#pragma once

#include <vector>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/base/arena.h"
#include "elastane/core/corrector/correction_arrays.h"
#include "elastane/core/gate/gatekeeper.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {

struct CorrectorParts {
  Geometry geometry;
  Gatekeeper gatekeeper;
  Arena<CorrectionArrays> arrays;
  bool anticipated = false;                            // y, the rollout and what the metric can know are there
  TimeEstimate micro_step_time = {}, trial_time = {};  // for budgets on a wall clock
  std::vector<double> columns = {}, product = {};      // of predict: F by its columns, and FP [d][stride]
};

}  // namespace elastane
