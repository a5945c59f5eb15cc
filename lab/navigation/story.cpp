#include "lab/navigation/story.h"

#include <cmath>

namespace elastane::navigation {
namespace {

const char* const kSizes[] = {"small", "medium", "large"};

std::string percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + " %"; }

}  // namespace

bool drops_crate(const Scenario& scenario) {
  const bool may = scenario.mode == Mode::dragged || scenario.mode == Mode::blind;
  return may && scenario.change_at < scenario.limit;
}

std::string title_of(const Scenario& scenario) {
  switch (scenario.mode) {
    case Mode::still: return "A drive home on which nothing happens";
    case Mode::dragged: return std::string("A ") + kSizes[scenario.crate] + " crate is dragged onto the way";
    case Mode::moving: return "Patrols cross the way";
    case Mode::drifting: return "Wind comes up, and the drive weakens";
    case Mode::blind: return "The rays fail again and again, and a crate is dragged onto the way";
  }
  return {};
}

std::string story_of(const Scenario& scenario) {
  const std::string robot =
      "A robot drives home to the green dock over ground that its policy knows. It is told noisy distances along " +
      std::to_string(kRays) + " rays, where the dock lies, and how it moved. ";
  const std::string crate =
      "At step " + std::to_string(scenario.change_at) + " somebody drags a crate from the edge onto its way";
  switch (scenario.mode) {
    case Mode::still: return robot + "Nothing changes: this is what it has learned.";
    case Mode::dragged: return robot + crate + ", which the policy has never seen; a way round it remains.";
    case Mode::moving: return robot + "Violet discs go to and fro across its way; the policy has seen nothing move.";
    case Mode::drifting:
      return robot + "At step " + std::to_string(scenario.air_at) + " wind comes up, " +
             percent(scenario.wind_speed / kSpeed) + " of the robot's speed, and its drive falls to " +
             percent(scenario.strength) +
             ". Nobody tells it: it can only notice that it moves otherwise than it meant.";
    case Mode::blind:
      return robot + crate + ". For " + std::to_string(scenario.blind_for) + " of every " +
             std::to_string(scenario.blind_every) + " steps no ray answers, and it has to remember.";
  }
  return {};
}

std::vector<benchmark::Event> events_of(const Scenario& scenario, int steps) {
  std::vector<benchmark::Event> events;
  if (scenario.mode == Mode::drifting && scenario.air_at < steps) events.push_back({scenario.air_at, "wind comes up"});
  for (int step = 0; step < steps; ++step) {
    if (scenario.blind(step) && (step == 0 || !scenario.blind(step - 1))) events.push_back({step, "rays fail"});
  }
  return events;
}

}  // namespace elastane::navigation
