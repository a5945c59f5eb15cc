// Elastane in one include: models, streams and fleets, corrections and their objectives, budgets, reports, forecasters.
//
//   find_package(elastane REQUIRED COMPONENTS forecast)
//   target_link_libraries(app PRIVATE elastane::forecast)          elastane::io without forecasters
#pragma once

#include "elastane/core/allocation/budget.h"
#include "elastane/core/corrector/corrector.h"
#include "elastane/core/forecast/forecaster.h"
#include "elastane/core/math/kernels.h"
#include "elastane/core/network/model.h"
#include "elastane/core/objective/calibration.h"
#include "elastane/core/objective/categorical.h"
#include "elastane/core/objective/gaussian.h"
#include "elastane/core/objective/huber.h"
#include "elastane/core/objective/weighted_sum.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/stream.h"
#include "elastane/forecast/evaluate_forecaster.h"
#include "elastane/forecast/fitter.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/forecast/row_stream.h"
#include "elastane/io/gate_file.h"
#include "elastane/io/model_file.h"
#include "elastane/io/table.h"
#include "elastane/io/trace.h"
