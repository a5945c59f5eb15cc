// One episode as it can be shown: what happened on the site, and what each agent observed, planned and did.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/navigation/benchmark.h"
#include "lab/navigation/scenario.h"

namespace elastane::navigation {

struct NavigationStep {
  benchmark::Moment moment;
  Vec2 position;             // before the step
  std::vector<Vec2> plan;    // waypoints, in the world; may be empty
  std::vector<double> rays;  // as measured: ray i of n points to the angle 2πi/n from the x axis; NaN: the ray failed
};

struct NavigationAgent {
  benchmark::Caption caption;
  std::vector<NavigationStep> steps;
  Vec2 end;  // after the last step
};

// a disc that is moved during the episode
struct Dragged {
  double radius = 0;
  Vec2 from, to;
  int at = 0;  // the first step that sees it in its new position
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
  std::vector<benchmark::Event> events;   // besides the dragged disc
  std::vector<Vec2> wind;                 // [step]: what moves the robot besides its command; empty: no wind
  Vec2 start, goal;
  double goal_radius = 0.025, body = 0.015, range = 0.35;  // of arrival, of the robot, of the rays

  std::vector<NavigationAgent> agents;
};

inline constexpr int kMostShown = 8;  // agents side by side

// the agents that are shown by default
std::vector<std::string> shown_agents(Mode mode);

// an episode of the benchmark
Result<NavigationRecording> record(const NavigationBenchmark& benchmark, const benchmark::RecordingRequest& request);

// a custom scenario, on a site that the policies do not know; of the request, only agents and seed are used
Result<NavigationRecording> record(const NavigationBenchmark& benchmark, const Scenario& scenario,
                                   const benchmark::RecordingRequest& request);

}  // namespace elastane::navigation
