#include "lab/navigation/geodesic.h"

#include <algorithm>
#include <cmath>

namespace elastane::navigation {

Geodesic::Geodesic(const SiteMap& map) : map_(map), head_(kBuckets) {
  const auto n = static_cast<std::size_t>(map.count());
  next_.resize(n);
  before_.resize(n);
  bucket_.resize(n);
}

// the upwind solution of |∇D| = cost from the nearer neighbour of each axis
double Geodesic::update(const SiteMap& map, std::span<const double> d, int i) {
  const auto k = static_cast<std::size_t>(i), side = static_cast<std::size_t>(map.side());
  const double cost = map.cost(i), a = std::min(d[k - 1], d[k + 1]), b = std::min(d[k - side], d[k + side]);
  const double off = std::fabs(a - b);
  if (off >= cost) return std::min(a, b) + cost;
  return 0.5 * (a + b + std::sqrt(2 * cost * cost - off * off));
}

// the outermost cells are never entered, so that every cell has its neighbours
bool Geodesic::inside(int i) const {
  const int x = i % map_.side(), y = i / map_.side(), last = map_.side() - 2;
  return x >= std::max(1, bounds_.left) && x <= std::min(last, bounds_.right) && y >= std::max(1, bounds_.low) &&
         y <= std::min(last, bounds_.high);
}

void Geodesic::push(int i, double distance) {
  const auto k = static_cast<std::size_t>(i);
  const int slot = static_cast<int>(static_cast<long long>(distance / kWidth) % kBuckets);
  bucket_[k] = slot;
  before_[k] = -1;
  next_[k] = head_[static_cast<std::size_t>(slot)];
  if (next_[k] >= 0) before_[static_cast<std::size_t>(next_[k])] = i;
  head_[static_cast<std::size_t>(slot)] = i;
  ++waiting_;
}

void Geodesic::remove(int i) {
  const auto k = static_cast<std::size_t>(i);
  if (before_[k] >= 0) {
    next_[static_cast<std::size_t>(before_[k])] = next_[k];
  } else {
    head_[static_cast<std::size_t>(bucket_[k])] = next_[k];
  }
  if (next_[k] >= 0) before_[static_cast<std::size_t>(next_[k])] = before_[k];
  bucket_[k] = -1;
  --waiting_;
}

void Geodesic::march(int robot, double beyond, std::span<double> d) {
  constexpr double kLess = 1e-9;
  std::ranges::fill(d, kUnknown);
  std::ranges::fill(head_, -1);
  std::ranges::fill(bucket_, -1);
  bounds_ = map_.bounds();
  waiting_ = 0;
  visited_ = 0;
  const int dock = map_.at({}), side = map_.side();
  d[static_cast<std::size_t>(dock)] = 0;
  push(dock, 0);
  double limit = kUnknown;
  for (long long bucket = 0; waiting_ > 0 && static_cast<double>(bucket) * kWidth <= limit; ++bucket) {
    const auto slot = static_cast<std::size_t>(bucket % kBuckets);
    while (head_[slot] >= 0) {
      const int i = head_[slot];
      remove(i);
      ++visited_;
      if (i == robot) limit = d[static_cast<std::size_t>(i)] + beyond;
      for (const int j : {i - 1, i + 1, i - side, i + side}) {
        if (j == dock || !inside(j)) continue;
        const auto k = static_cast<std::size_t>(j);
        const double nearer = update(map_, d, j);
        if (!(nearer < d[k] - kLess)) continue;
        d[k] = nearer;
        if (bucket_[k] >= 0) remove(j);
        push(j, nearer);
      }
    }
  }
  // what still waits is not settled
  for (std::size_t slot = 0; slot < head_.size(); ++slot) {
    for (int i = head_[slot]; i >= 0; i = next_[static_cast<std::size_t>(i)]) d[static_cast<std::size_t>(i)] = kUnknown;
  }
}

int extract_path(const SiteMap& map, std::span<const double> d, int robot, std::span<int> cells) {
  const int side = map.side(), dock = map.at({});
  if (d[static_cast<std::size_t>(robot)] >= Geodesic::kUnknown) return 0;
  int count = 0;
  for (int i = robot; count < static_cast<int>(cells.size());) {
    cells[static_cast<std::size_t>(count++)] = i;
    if (i == dock) break;
    int best = i;
    double least = d[static_cast<std::size_t>(i)];
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int j = i + dy * side + dx;
        if (d[static_cast<std::size_t>(j)] < least) least = d[static_cast<std::size_t>(j)], best = j;
      }
    }
    if (best == i) break;
    i = best;
  }
  return count;
}

Distance interpolate(const SiteMap& map, std::span<const double> d, Vec2 place) {
  const double half = 0.5 * map.cell();
  const int i = map.at(place - Vec2{half, half}), side = map.side();
  const int x = std::min(i % side, side - 2), y = std::min(i / side, side - 2), low = y * side + x;
  const Vec2 corner = map.centre(low);
  const double s = std::clamp((place.x - corner.x) / map.cell(), 0.0, 1.0),
               t = std::clamp((place.y - corner.y) / map.cell(), 0.0, 1.0);
  double v[4];
  double most = 0;
  for (int k = 0; k < 4; ++k) {
    v[k] = d[static_cast<std::size_t>(low + (k / 2) * side + k % 2)];
    if (v[k] < Geodesic::kUnknown) most = std::max(most, v[k]);
  }
  for (double& value : v) value = std::min(value, most + 4);
  const double bottom = v[0] + s * (v[1] - v[0]), top = v[2] + s * (v[3] - v[2]);
  return {map.cell() * (bottom + t * (top - bottom)), {(1 - t) * (v[1] - v[0]) + t * (v[3] - v[2]), top - bottom}};
}

}  // namespace elastane::navigation
