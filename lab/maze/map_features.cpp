#include "lab/maze/map_features.h"

#include <algorithm>
#include <cmath>

namespace elastane::maze {
namespace {

constexpr double kMaxExcess = 8;  // steps

double cosine(Cell step, Cell goal) {
  const double length = std::hypot(step.x, step.y) * std::hypot(goal.x, goal.y);
  return length > 0 ? (step.x * goal.x + step.y * goal.y) / length : 0;
}

}  // namespace

void move_features(const MapLatent& map, std::span<const double> z, const Observation& observation,
                   AllMoveFeatures& features) {
  const int moves = move_count(map.moves());
  std::array<double, kMaxMoves> values = {};
  double best = 0;
  for (int move = 0; move < moves; ++move) {
    const auto w = static_cast<std::size_t>(move);
    if (map.can_move(observation.position, move))
      values[w] = map.discount(move) * std::max(0.0, map.value(z, observation.position + kMoveSteps[w]));
    best = std::max(best, values[w]);
  }
  for (int move = 0; move < moves; ++move) {
    const auto w = static_cast<std::size_t>(move);
    const Cell there = observation.position + kMoveSteps[w];
    MoveFeatures& f = features[w];
    const double excess = values[w] > 0 ? std::log(values[w] / best) / std::log(map.discount(0)) : kMaxExcess;
    f[0] = std::min(excess, kMaxExcess) / kMaxExcess;
    f[1] = values[w] > 0 ? 0 : 1;
    f[2] = best > 0 ? 0 : 1;
    f[3] = map.trace(there) / (1 + map.trace(there));
    f[4] = observation.last_move == move ? 1 : 0;
    f[5] = observation.last_move != kStay && opposite(observation.last_move) == move ? 1 : 0;
    f[6] = cosine(kMoveSteps[w], observation.goal - observation.position);
    f[7] = 0;
    if (!map.can_move(observation.position, move)) continue;
    for (int next = 0; next < 4; ++next) f[7] += next != opposite(move) && map.can_move(there, next) ? 1.0 / 3 : 0;
  }
}

void encode_map(const MapLatent& map, const Observation& observation, std::span<float> x) {
  AllMoveFeatures features;
  move_features(map, map.z(), observation, features);
  std::size_t i = 0;
  for (std::size_t move = 0; move < 4; ++move) {
    for (const double feature : features[move]) x[i++] = static_cast<float>(feature);
  }
  for (int dy = -kCrop / 2; dy <= kCrop / 2; ++dy) {
    for (int dx = -kCrop / 2; dx <= kCrop / 2; ++dx) {
      const Cell c = observation.position + Cell{dx, dy};
      x[i++] = static_cast<float>(map.has(c) ? map.occupancy(c) : 1.0);
      x[i++] = static_cast<float>(map.has(c) ? map.trace(c) / (1 + map.trace(c)) : 0.0);
    }
  }
}

}  // namespace elastane::maze
