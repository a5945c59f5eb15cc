#include "lab/maze/map_features.h"

#include <algorithm>
#include <cmath>

namespace elastane::maze {
namespace {

constexpr double kMostWorse = 8;  // steps

double cosine(Cell step, Cell goal) {
  const double length = std::hypot(step.x, step.y) * std::hypot(goal.x, goal.y);
  return length > 0 ? (step.x * goal.x + step.y * goal.y) / length : 0;
}

}  // namespace

void look_around(const MapLatent& map, std::span<const double> z, const Sight& sight, Around& around) {
  const int ways = way_count(map.moves());
  std::array<double, kMostWays> worth = {};
  double best = 0;
  for (int way = 0; way < ways; ++way) {
    const auto w = static_cast<std::size_t>(way);
    if (map.can_move(sight.position, way))
      worth[w] = map.discount(way) * std::max(0.0, map.value(z, sight.position + kWays[w]));
    best = std::max(best, worth[w]);
  }
  for (int way = 0; way < ways; ++way) {
    const auto w = static_cast<std::size_t>(way);
    const Cell there = sight.position + kWays[w];
    MoveFeatures& f = around[w];
    const double worse = worth[w] > 0 ? std::log(worth[w] / best) / std::log(map.discount(0)) : kMostWorse;
    f[0] = std::min(worse, kMostWorse) / kMostWorse;
    f[1] = worth[w] > 0 ? 0 : 1;
    f[2] = best > 0 ? 0 : 1;
    f[3] = map.trace(there) / (1 + map.trace(there));
    f[4] = sight.last_way == way ? 1 : 0;
    f[5] = sight.last_way != kStay && reverse(sight.last_way) == way ? 1 : 0;
    f[6] = cosine(kWays[w], sight.goal - sight.position);
    f[7] = 0;
    if (!map.can_move(sight.position, way)) continue;
    for (int on = 0; on < 4; ++on) f[7] += on != reverse(way) && map.can_move(there, on) ? 1.0 / 3 : 0;
  }
}

void speak(const MapLatent& map, const Sight& sight, std::span<float> x) {
  Around around;
  look_around(map, map.z(), sight, around);
  std::size_t i = 0;
  for (std::size_t way = 0; way < 4; ++way) {
    for (const double feature : around[way]) x[i++] = static_cast<float>(feature);
  }
  for (int dy = -kCrop / 2; dy <= kCrop / 2; ++dy) {
    for (int dx = -kCrop / 2; dx <= kCrop / 2; ++dx) {
      const Cell c = sight.position + Cell{dx, dy};
      x[i++] = static_cast<float>(map.has(c) ? map.occupancy(c) : 1.0);
      x[i++] = static_cast<float>(map.has(c) ? map.trace(c) / (1 + map.trace(c)) : 0.0);
    }
  }
}

}  // namespace elastane::maze
