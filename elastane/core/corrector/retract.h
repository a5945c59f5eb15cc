// Retr_z(αv): the kinds of retraction/retraction.h, carried out with a model, an objective and a metric.
#pragma once

#include <span>

#include "elastane/core/corrector/point_pullback.h"
#include "elastane/core/corrector/retraction.h"
#include "elastane/core/metric/geometry.h"

namespace elastane {

// a direction from the model's point
struct Ray {
  //                           meaning               shape
  std::span<const double> z;  // the point, drifted   [d]
  std::span<const double> v;  // the direction        [d]
  std::span<const double> a;  // Jv                   [m]
};

// scratch; each has its padding to kDoubleLane behind it, zero
struct RetractWork {
  //                        meaning                  shape
  std::span<double> bend;  // the second-order term   [d]
  std::span<double> pull;  // what it is solved from  [d]
  std::span<double> path;  // αJv                     [m]
  std::span<double> jet;   // D²g[αv, αv]             [m]
  std::span<double> lag;   // what is pulled back     [m]
};

// trial ← Retr_z(αv), moved ← g(trial); whether the second-order term is in it
bool retract(const RetractionOptions& options, PointPullback& at, Geometry& geometry, const Ray& ray, double alpha,
             const RetractWork& work, std::span<double> trial, std::span<double> moved);

}  // namespace elastane
