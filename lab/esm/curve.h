// Success against compute: ESM trained with several prices of a micro-step.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/results.h"
#include "lab/benchmark/results_json.h"

namespace elastane::esm {

// one price, over all trainings with it
struct CurvePoint {
  std::string settings;  // "price 0.02"
  benchmark::Estimate success;
  double macs = 0, mean_depth = 0, zero_share = 0;  // per step
  std::vector<double> depths;                       // mean K of each training
};

// Agents of a grid with equal settings are one point, in the order of the records; agents without settings are left out.
std::vector<CurvePoint> curve_points(const std::vector<benchmark::Record>& records,
                                     const std::vector<benchmark::Row>& rows);

// compute over that of `unit`, multiply-adds of the Transformer's step
std::string curve_table(const std::vector<CurvePoint>& points, double unit);
// rows like the poster's, with the name of their world
benchmark::RowJson curve_json(const std::string& world, const std::vector<CurvePoint>& points, double unit);

struct Curve {
  std::string title;
  std::vector<CurvePoint> points;
  const std::vector<benchmark::Row>* rivals;  // some of them are shown beside it
};
// panels side by side, as an SVG picture
std::string curve_figure(const std::vector<Curve>& curves);

}  // namespace elastane::esm
