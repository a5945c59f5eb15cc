#include "lab/navigation/route.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace elastane::navigation {
namespace {

constexpr double kRoomNeeded = kBody + 0.006;
constexpr double kShy = 0.04;     // closer than this to an obstacle costs more
constexpr double kShyness = 1.5;  // the extra cost at contact, relative to open ground
constexpr double kDetour = 1.01;  // a straight line may cost at most this many times the path it replaces
constexpr int kNeighbours[16][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1}, {1, 1},  {1, -1}, {-1, 1},  {-1, -1},
                                    {1, 2}, {2, 1},  {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}};

double shyness(double room) {
  const double close = std::max(0.0, 1 - (room - kBody) / kShy);
  return 1 + kShyness * close * close;
}

}  // namespace

Route::Route(const Site& site) : site_(site) {
  const std::size_t cells = static_cast<std::size_t>(kCells) * kCells;
  for (int i = 0; i < kCells * kCells; ++i) {
    room_.push_back(site.clearance(centre(i)));
    shy_.push_back(shyness(room_.back()));
    slope_.push_back(site.slope(centre(i)));
  }
  cost_.assign(cells, kUnreached);
  next_.assign(cells, -1);
  target_.assign(cells, site.dock);
  search();
  pull_straight();
}

int Route::cell_of(Vec2 p) {
  const auto index = [](double v) { return std::clamp(static_cast<int>(std::floor(v * kCells)), 0, kCells - 1); };
  return index(p.y) * kCells + index(p.x);
}

bool Route::has_room(int cell) const { return room_[cell] >= kRoomNeeded; }

double Route::edge(int from, int to) const {
  const Vec2 a = centre(from), leg = centre(to) - a;
  const double length = norm(leg), least = std::min(room_[from], room_[to]);
  // the middle has at least this much room, and often more
  if (least - length / 2 < kRoomNeeded && site_.clearance(a + leg * 0.5) < kRoomNeeded) return kUnreached;
  return length / kSpeed * effort((slope_[from] + slope_[to]) * 0.5, leg) * (shy_[from] + shy_[to]) / 2;
}

void Route::search() {
  using Open = std::pair<double, int>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  const int dock = cell_of(site_.dock);
  cost_[dock] = 0;
  next_[dock] = dock;
  open.emplace(0.0, dock);
  while (!open.empty()) {
    const auto [cost, cell] = open.top();
    open.pop();
    if (cost > cost_[cell]) continue;
    for (const auto& reach : kNeighbours) {
      const int x = cell % kCells + reach[0], y = cell / kCells + reach[1];
      if (x < 0 || y < 0 || x >= kCells || y >= kCells) continue;
      const int neighbour = y * kCells + x;
      if (!has_room(neighbour)) continue;
      const double through = cost + edge(neighbour, cell);  // from the neighbour to this cell
      if (through < cost_[neighbour]) {
        cost_[neighbour] = through;
        next_[neighbour] = cell;
        open.emplace(through, neighbour);
      }
    }
  }
}

bool Route::sees(Vec2 from, Vec2 to) const {
  const int pieces = std::max(1, static_cast<int>(std::ceil(norm(to - from) * kCells)));
  for (int i = 0; i < pieces; ++i) {
    if (!has_room(cell_of(from + (to - from) * ((i + 0.5) / pieces)))) return false;
  }
  return true;
}

// the cost of a straight line; kUnreached without room
double Route::straight(Vec2 from, Vec2 to) const {
  const double length = norm(to - from);
  const int pieces = std::max(1, static_cast<int>(std::ceil(length * kCells)));
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    const Vec2 p = from + (to - from) * ((i + 0.5) / pieces);
    const int cell = cell_of(p);
    if (!has_room(cell)) return kUnreached;
    sum += length / pieces / kSpeed * effort(slope_[cell], to - from) * shy_[cell];
  }
  return sum;
}

void Route::pull_straight() {
  for (int cell = 0; cell < kCells * kCells; ++cell) {
    if (cost_[cell] >= kUnreached) continue;
    for (int ahead = next_[cell];; ahead = next_[ahead]) {
      const Vec2 goal = next_[ahead] == ahead ? site_.dock : centre(ahead);
      const double along_path = cost_[cell] - cost_[ahead];
      if (ahead != next_[cell] && straight(centre(cell), goal) > kDetour * along_path) break;
      target_[cell] = goal;
      if (next_[ahead] == ahead) break;
    }
  }
}

bool Route::reaches_all() const {
  for (std::size_t i = 0; i < room_.size(); ++i) {
    if (room_[i] >= kRoomNeeded && cost_[i] >= kUnreached) return false;
  }
  return true;
}

// within three rings of cells: when the robot touches an obstacle, its own cell has no room
int Route::nearest_free(Vec2 p) const {
  const int cell = cell_of(p);
  if (cost_[cell] < kUnreached) return cell;
  int best = -1;
  double least = 0;
  for (int ring = 1; ring <= 3 && best < 0; ++ring) {
    for (int dy = -ring; dy <= ring; ++dy) {
      for (int dx = -ring; dx <= ring; ++dx) {
        const int x = cell % kCells + dx, y = cell / kCells + dy;
        if (x < 0 || y < 0 || x >= kCells || y >= kCells) continue;
        const int other = y * kCells + x;
        const double far = norm(centre(other) - p);
        if (cost_[other] < kUnreached && (best < 0 || far < least)) {
          best = other;
          least = far;
        }
      }
    }
  }
  return best;
}

double Route::cost(Vec2 p) const {
  const int cell = nearest_free(p);
  return cell < 0 ? kUnreached : cost_[cell] + norm(p - centre(cell)) / kSpeed;
}

Vec2 Route::toward(Vec2 p) const {
  const int own = cell_of(p), cell = nearest_free(p);
  if (cell < 0) return p;
  if (cell != own) return centre(cell);
  if (sees(p, target_[cell])) return target_[cell];
  return next_[cell] == cell ? site_.dock : centre(next_[cell]);
}

Vec2 Route::advance(Vec2 p) const {
  const Vec2 leg = toward(p) - p;
  const Vec2 step = limited(leg, kSpeed / site_.effort(p, leg));
  return p + step;
}

void Route::plan(Vec2 p, int stride, std::span<Vec2> path) const {
  Vec2 at = p;
  for (Vec2& waypoint : path) {
    for (int i = 0; i < stride; ++i) at = advance(at);
    waypoint = at - p;
  }
}

std::vector<RoutedSite> random_sites(std::uint64_t seed, int count) {
  std::vector<RoutedSite> sites;
  for (int i = 0; i < count; ++i) sites.emplace_back(random_site(seed * 1000 + static_cast<std::uint64_t>(i)));
  return sites;
}

}  // namespace elastane::navigation
