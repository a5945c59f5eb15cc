// Success against compute: ESM, trained with other prices of a micro-step.
#pragma once

#include <string>
#include <vector>

#include "elastane/worlds/contest/results.h"
#include "elastane/worlds/contest/results_json.h"

namespace elastane::app {

// one price, over all trainings with it
struct CurvePoint {
  std::string settings;  // "price 0.02"
  contest::Estimate success;
  double madds = 0, mean_depth = 0, zero_share = 0;  // of a step
  std::vector<double> depths;                        // mean K of each training
};

// Agents of a grid with equal settings are one point, in the order of the records; who has no settings is left out.
std::vector<CurvePoint> curve_points(const std::vector<contest::Record>& records,
                                     const std::vector<contest::Row>& rows);

// compute over that of `unit`, multiply-adds of the Transformer's step
std::string curve_table(const std::vector<CurvePoint>& points, double unit);
// rows like the poster's, with the name of the world that they are of
contest::RowJson curve_json(const std::string& world, const std::vector<CurvePoint>& points, double unit);

struct Curve {
  std::string title;
  std::vector<CurvePoint> points;
  const std::vector<contest::Row>* rivals;  // of whom some are shown beside it
};
// panels side by side, as an SVG picture
std::string curve_figure(const std::vector<Curve>& curves);

}  // namespace elastane::app
