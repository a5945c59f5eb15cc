#include "lab/maze/lattice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "elastane/core/base/random.h"

namespace elastane::maze {
namespace {

constexpr int kSmallest = 9, kLargest = 99;  // cells per side
constexpr double kArea = 15.0 * 15.0;        // for which the default numbers of doors and rooms are given

// a corridor between two nodes, and the door in it
struct Corridor {
  int from = 0, to = 0;  // nodes
  bool open = false;     // it exists
  bool door = false;
  bool before = false, after = false;  // the door is closed
  int door_at = 1;                     // cells from the first node, 1 or 2; 0: no space for a door
};

class Drawing {
 public:
  Drawing(const LatticeOptions& options, Random& random)
      : options_(options), side_(options.size / kPitch), random_(random) {
    for (int node = 0; node < side_ * side_; ++node) {
      if (node % side_ + 1 < side_) corridors_.push_back({.from = node, .to = node + 1});
      if (node + side_ < side_ * side_) corridors_.push_back({.from = node, .to = node + side_});
    }
    shuffle();
  }

  // Kruskal 1956 with equal weights: a random tree with many short dead ends
  void open_corridors() {
    std::vector<int> group(static_cast<std::size_t>(side_ * side_));
    std::iota(group.begin(), group.end(), 0);
    for (Corridor& c : corridors_) {
      const int a = group[static_cast<std::size_t>(c.from)], b = group[static_cast<std::size_t>(c.to)];
      c.open = a != b;
      if (c.open) std::ranges::replace(group, b, a);
      if (!c.open) c.open = random_.uniform() < options_.loops;
    }
  }

  void open_rooms() {
    for (int i = scaled(options_.rooms, 1); i > 0; --i) {
      const int corner = random_.below(side_ - 1) + random_.below(side_ - 1) * side_;
      rooms_.push_back(corner);
      const auto inside = [&](int node) {
        const int step = node - corner;
        return step == 0 || step == 1 || step == side_ || step == side_ + 1;
      };
      for (Corridor& c : corridors_) {
        if (inside(c.from) && inside(c.to)) c.open = true, c.door_at = 0;  // part of a room
      }
    }
  }

  void place_doors() {
    const int doors = scaled(options_.doors, 6), closed = doors / 2;
    const int changing = static_cast<int>(std::lround(options_.changing * closed));
    shuffle();
    int placed = 0;
    // doors that are closed before the change, as long as all nodes stay connected
    for (Corridor& c : corridors_) {
      if (placed == closed) break;
      placed += try_close(c, &Corridor::before) ? 1 : 0;
    }
    for (Corridor& c : corridors_) c.after = c.before;
    int opened = 0;
    for (Corridor& c : corridors_) {
      if (opened == changing) break;
      if (!c.after) continue;
      c.after = false, ++opened;
    }
    shuffle();
    for (Corridor& c : corridors_) {
      if (opened == 0) break;
      if (!c.door && try_close(c, &Corridor::after)) --opened, ++placed;
    }
    for (Corridor& c : corridors_) {  // doors that never close
      if (placed >= doors) break;
      if (c.open && c.door_at > 0 && !c.door) c.door = true, c.door_at = 1 + random_.below(2), ++placed;
    }
  }

  Episode draw() const {
    Episode episode{.pitch = kPitch};
    const Grid solid(options_.size, options_.size, true);
    episode.plan = episode.before = solid;
    for (int node = 0; node < side_ * side_; ++node) {
      episode.plan.set_wall(cell_of(node), false);
      episode.before.set_wall(cell_of(node), false);
    }
    for (const Corridor& c : corridors_) {
      for (int k = 1; k < kPitch; ++k) {
        episode.plan.set_wall(along(c, k), false);
        if (c.open) episode.before.set_wall(along(c, k), false);
      }
    }
    for (const int corner : rooms_) {
      for (int y = 1; y < kPitch; ++y) {
        for (int x = 1; x < kPitch; ++x) {
          episode.before.set_wall(cell_of(corner) + Cell{x, y}, false);
        }
      }
    }
    episode.after = episode.before;
    for (const Corridor& c : corridors_) {
      if (!c.door) continue;
      episode.doors.push_back(along(c, c.door_at));
      episode.before.set_wall(along(c, c.door_at), c.before);
      episode.after.set_wall(along(c, c.door_at), c.after);
    }
    return episode;
  }

  Cell cell_of(int node) const { return {node % side_ * kPitch + 1, node / side_ * kPitch + 1}; }

 private:
  void shuffle() {
    for (std::size_t i = corridors_.size(); i > 1; --i) {
      std::swap(corridors_[i - 1], corridors_[static_cast<std::size_t>(random_.below(static_cast<int>(i)))]);
    }
  }

  int scaled(int given, int usual) const {
    return given >= 0 ? given : static_cast<int>(std::lround(usual * options_.size * options_.size / kArea));
  }

  Cell along(const Corridor& c, int k) const {
    return cell_of(c.from) + (c.to == c.from + 1 ? Cell{k, 0} : Cell{0, k});
  }

  bool try_close(Corridor& c, bool Corridor::*when) {
    if (!c.open || c.door_at == 0 || c.*when) return false;
    c.*when = true;
    if (!connected(when)) {
      c.*when = false;
      return false;
    }
    if (!c.door) c.door = true, c.door_at = 1 + random_.below(2);
    return true;
  }

  bool connected(bool Corridor::*closed) const {
    std::vector<int> group(static_cast<std::size_t>(side_ * side_));
    std::iota(group.begin(), group.end(), 0);
    for (const Corridor& c : corridors_) {
      const int a = group[static_cast<std::size_t>(c.from)], b = group[static_cast<std::size_t>(c.to)];
      if (c.open && !(c.*closed) && a != b) std::ranges::replace(group, b, a);
    }
    return std::ranges::all_of(group, [&](int g) { return g == group[0]; });
  }

  const LatticeOptions& options_;
  int side_;  // nodes
  Random& random_;
  std::vector<Corridor> corridors_;
  std::vector<int> rooms_;  // their first nodes
};

}  // namespace

Status validate(const LatticeOptions& o) {
  const auto wrong = [](const char* option, const char* range, const std::string& found) {
    return Error{std::string("[maze] ") + option + ": expected " + range + ", found " + found};
  };
  if (o.size < kSmallest || o.size > kLargest || o.size % kPitch != 0)
    return wrong("size", "a multiple of 3 from 9 to 99", std::to_string(o.size));
  if (!(o.loops >= 0 && o.loops <= 1)) return wrong("loops", "0 to 1", std::to_string(o.loops));
  if (!(o.changing >= 0 && o.changing <= 1)) return wrong("changing", "0 to 1", std::to_string(o.changing));
  if (o.doors > o.size * o.size) return wrong("doors", "fewer than cells", std::to_string(o.doors));
  if (o.rooms > o.size * o.size) return wrong("rooms", "fewer than cells", std::to_string(o.rooms));
  return {};
}

Episode draw_lattice(const LatticeOptions& options, std::uint64_t seed) {
  Random random(seed, 7ULL << 48U);
  Drawing drawing(options, random);
  drawing.open_corridors();
  drawing.open_rooms();
  drawing.place_doors();
  Episode episode = drawing.draw();
  episode.seed = seed;
  // start and goal at least `size` apart
  const int nodes = (options.size / kPitch) * (options.size / kPitch);
  do {
    episode.start = drawing.cell_of(random.below(nodes));
    episode.goal = drawing.cell_of(random.below(nodes));
    measure_shortest(episode);
  } while (episode.shortest < options.size);
  // before an agent on the shortest path would arrive
  episode.change_at = static_cast<int>(episode.shortest * random.uniform(0.2, 0.8));
  return episode;
}

}  // namespace elastane::maze
