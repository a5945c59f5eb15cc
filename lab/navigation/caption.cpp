#include "lab/navigation/caption.h"

#include <cmath>

#include "lab/navigation/observation.h"

namespace elastane::navigation {
namespace {

const char* const kSizes[] = {"small", "medium", "large"};

std::string percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + " %"; }

}  // namespace

std::string title_of(const Episode& episode) {
  switch (episode.mode) {
    case Mode::still: return "A drive home without a change";
    case Mode::dragged: return std::string("A ") + kSizes[episode.crate] + " crate is placed on the path";
    case Mode::moving: return "Patrols cross the path";
    case Mode::drifting: return "Wind rises, and the drive weakens";
    case Mode::blind: return "The rays fail repeatedly, and a crate is placed on the path";
    case Mode::windy: return "Wind rises, and a crate is placed on the path";
    case Mode::lost: return "The observed dock drifts, and a crate is placed on the path";
  }
  return {};
}

std::string caption_of(const Episode& episode) {
  const std::string robot =
      "A robot drives home to the green dock over ground that its policy knows. It observes noisy distances along " +
      std::to_string(kRays) + " rays, the position of the dock, and its own motion. ";
  const std::string crate =
      "At step " + std::to_string(episode.change_at) + " a crate is moved from the edge onto its path";
  switch (episode.mode) {
    case Mode::still: return robot + "Nothing changes: the policy was trained for exactly this.";
    case Mode::dragged: return robot + crate + ", which the policy has never seen; a path around it remains.";
    case Mode::moving:
      return robot + "Violet discs move back and forth across its path; in training, no obstacle moved.";
    case Mode::windy:
      return robot + crate + ". Wind of " + percent(episode.wind_speed / kSpeed) +
             " of the robot's speed blows from step " + std::to_string(episode.disturbed_at) + " on.";
    case Mode::lost: return robot + crate + ". The observed position of the dock drifts until the robot is near it.";
    case Mode::drifting:
      return robot + "At step " + std::to_string(episode.disturbed_at) + " wind rises to " +
             percent(episode.wind_speed / kSpeed) + " of the robot's speed, and its drive falls to " +
             percent(episode.strength) +
             ". The robot does not measure either: it can only notice that its motion differs from its command.";
    case Mode::blind:
      return robot + crate + ". For " + std::to_string(episode.blind_for) + " of every " +
             std::to_string(episode.blind_every) + " steps all rays fail, and the robot has to remember.";
  }
  return {};
}

std::vector<benchmark::Event> events_of(const Episode& episode, int steps) {
  std::vector<benchmark::Event> events;
  if (has_wind(episode.mode) && episode.disturbed_at < steps) {
    events.push_back({episode.disturbed_at, "wind rises"});
  }
  for (int step = 0; step < steps; ++step) {
    if (episode.blind(step) && (step == 0 || !episode.blind(step - 1))) events.push_back({step, "rays fail"});
  }
  return events;
}

}  // namespace elastane::navigation
