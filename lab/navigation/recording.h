// A drive as a page can show it: what happened on the site, and what each agent saw, planned and did.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/navigation/benchmark.h"
#include "lab/navigation/errand.h"

namespace elastane::navigation {

struct NavigationStep {
  benchmark::Moment moment;
  Point position;            // before the step
  std::vector<Point> plan;   // way-points, in the world; may be empty
  std::vector<double> rays;  // as measured: ray i of n points to the angle 2πi/n from the x axis; NaN: no answer
};

struct NavigationAgent {
  benchmark::Caption caption;
  std::vector<NavigationStep> steps;
  Point end;  // after the last step
};

// a disc that somebody moves in mid-episode
struct Dragged {
  double radius = 0;
  Point from, to;
  int at = 0;  // the first step that sees it in its new place
};

struct NavigationRecording final : benchmark::Recording {
  using Recording::Recording;
  std::vector<benchmark::Caption> captions() const override { return benchmark::captions_of(agents); }
  Status validate() const override;
  std::string json() const override;
  std::vector<std::string> scripts() const override { return {"gauges", "ground", "navigation"}; }
  std::string figure() const override;

  // the unit square, (0, 0) at the lower left
  int columns = 0;              // of the height field, and rows: samples at the centres of columns × columns cells
  std::vector<double> heights;  // [row][column], row 0 at y = 0
  std::vector<Barrier> walls;
  std::vector<Disc> discs;  // that stay where they are
  std::optional<Dragged> dragged;
  std::vector<std::vector<Disc>> moving;  // [step][disc]; empty if none moves
  std::vector<benchmark::Event> events;   // beside the dragged disc
  std::vector<Point> wind;                // [step]: what moves the robot beside its command; empty: the air is still
  Point start, goal;
  double goal_radius = 0.025, body = 0.015, range = 0.35;  // of arrival, of the robot, of the rays

  std::vector<NavigationAgent> agents;
};

inline constexpr int kMostShown = 8;  // agents side by side

// who is shown where nobody is asked for
std::vector<std::string> shown_agents(Mode mode);

// an episode of the benchmark
Result<NavigationRecording> record(const NavigationBenchmark& benchmark, const benchmark::RecordingRequest& request);

// an errand over a site that the policies do not know; of the request only who drives, and the seed of the noise
Result<NavigationRecording> record(const NavigationBenchmark& benchmark, const Errand& errand,
                                   const benchmark::RecordingRequest& request);

}  // namespace elastane::navigation
