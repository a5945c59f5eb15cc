#include "lab/frost/episode.h"

#include <algorithm>
#include <stdexcept>

#include "elastane/core/base/random.h"

namespace elastane::frost {
namespace {

std::uint64_t task_seed(Task task, int size) {
  return (static_cast<std::uint64_t>(task) << 60U) + (static_cast<std::uint64_t>(size) << 48U);
}

// marks what the start can reach; returns its eccentricity
int search(int side, int start, Episode& episode) {
  std::vector<int> queue = {start}, distance(static_cast<std::size_t>(side * side), -1);
  distance[static_cast<std::size_t>(start)] = 0;
  for (std::size_t first = 0; first < queue.size(); ++first) {
    const int c = queue[first], x = c % side, y = c / side;
    episode.labels[static_cast<std::size_t>(c)] = 1;
    const int next[4] = {x > 0 ? c - 1 : -1, x + 1 < side ? c + 1 : -1, y > 0 ? c - side : -1,
                         y + 1 < side ? c + side : -1};
    for (const int to : next) {
      if (to < 0 || distance[static_cast<std::size_t>(to)] >= 0) continue;
      if (episode.features[2 * static_cast<std::size_t>(to)] == 0) continue;
      distance[static_cast<std::size_t>(to)] = distance[static_cast<std::size_t>(c)] + 1;
      queue.push_back(to);
    }
  }
  return distance[static_cast<std::size_t>(queue.back())];
}

Episode draw_grid(int side, std::uint64_t seed) {
  Random random(seed, task_seed(Task::grid, side));
  Episode episode{.task = Task::grid, .rows = side, .cols = side};
  const auto n = static_cast<std::size_t>(side * side);
  episode.features.resize(2 * n);
  episode.labels.resize(n);
  const double obstacles = random.uniform(0.25, 0.45);
  for (std::size_t i = 0; i < n; ++i) episode.features[2 * i] = random.uniform() < obstacles ? 0.0F : 1.0F;
  const int start = random.below(side * side);
  episode.features[2 * static_cast<std::size_t>(start)] = 1;
  episode.features[2 * static_cast<std::size_t>(start) + 1] = 1;
  episode.oracle_depth = search(side, start, episode) + 1;
  return episode;
}

Episode draw_parity(int bits, std::uint64_t seed) {
  Random random(seed, task_seed(Task::parity, bits));
  Episode episode{.task = Task::parity, .rows = 1, .cols = bits, .oracle_depth = bits};
  episode.features.resize(2 * static_cast<std::size_t>(bits));
  episode.labels.resize(static_cast<std::size_t>(bits));
  episode.features[1] = 1;
  int parity = 0;
  for (std::size_t i = 0; i < episode.labels.size(); ++i) {
    const int bit = random.below(2);
    parity ^= bit;
    episode.features[2 * i] = static_cast<float>(bit);
    episode.labels[i] = static_cast<std::uint8_t>(parity);
  }
  return episode;
}

}  // namespace

Episode draw_episode(Task task, int size, std::uint64_t seed) {
  return task == Task::grid ? draw_grid(size, seed) : draw_parity(size, seed);
}

void label_grid(Episode& e) {
  int start = 0;
  for (int i = 0; i < e.cells(); ++i) start = e.features[2 * static_cast<std::size_t>(i) + 1] > 0 ? i : start;
  std::ranges::fill(e.labels, std::uint8_t{0});
  e.oracle_depth = search(e.cols, start, e) + 1;
}

Task parse_task(const std::string& name) {
  if (name == "grid") return Task::grid;
  if (name == "parity") return Task::parity;
  throw std::runtime_error("[frost] unknown task \"" + name + "\", expected one of grid, parity");
}

}  // namespace elastane::frost
