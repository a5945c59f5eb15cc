#include "lab/maze/lattice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "elastane/core/base/random.h"

namespace elastane::maze {
namespace {

constexpr int kSmallest = 9, kLargest = 99;  // cells a side
constexpr double kArea = 15.0 * 15.0;        // that the number of doors is given for

// a corridor between two nodes, and the door in it
struct Corridor {
  int from = 0, to = 0;  // nodes
  bool cut = false;      // it is there
  bool door = false;     // it has one, which is closed
  bool before = false, after = false;
  int place = 1;  // of the door: one or two cells from the first node
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

  // Kruskal 1956 with all corridors alike: a random tree with many short dead ends
  void cut_corridors() {
    std::vector<int> group(static_cast<std::size_t>(side_ * side_));
    std::iota(group.begin(), group.end(), 0);
    for (Corridor& c : corridors_) {
      const int a = group[static_cast<std::size_t>(c.from)], b = group[static_cast<std::size_t>(c.to)];
      c.cut = a != b;
      if (c.cut) std::ranges::replace(group, b, a);
      if (!c.cut) c.cut = random_.uniform() < options_.loops;
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
        if (inside(c.from) && inside(c.to)) c.cut = true, c.place = 0;  // no corridor any more: no place for a door
      }
    }
  }

  void hang_doors() {
    const int doors = scaled(options_.doors, 6), closed = doors / 2;
    const int changing = static_cast<int>(std::lround(options_.changing * closed));
    shuffle();
    int hung = 0;
    // those that are closed first, as long as all nodes stay joined; then those that will be
    for (Corridor& c : corridors_) {
      if (hung == closed) break;
      hung += try_close(c, &Corridor::before) ? 1 : 0;
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
      if (!c.door && try_close(c, &Corridor::after)) --opened, ++hung;
    }
    for (Corridor& c : corridors_) {  // the others never close
      if (hung >= doors) break;
      if (c.cut && c.place > 0 && !c.door) c.door = true, c.place = 1 + random_.below(2), ++hung;
    }
  }

  Task draw() const {
    Task task{.pitch = kPitch};
    const Grid solid(options_.size, options_.size, true);
    task.plan = task.before = solid;
    for (int node = 0; node < side_ * side_; ++node) {
      task.plan.set_wall(place(node), false);
      task.before.set_wall(place(node), false);
    }
    for (const Corridor& c : corridors_) {
      for (int k = 1; k < kPitch; ++k) {
        task.plan.set_wall(along(c, k), false);
        if (c.cut) task.before.set_wall(along(c, k), false);
      }
    }
    for (const int corner : rooms_) {
      for (int y = 1; y < kPitch; ++y) {
        for (int x = 1; x < kPitch; ++x) {
          task.before.set_wall(place(corner) + Cell{x, y}, false);
        }
      }
    }
    task.after = task.before;
    for (const Corridor& c : corridors_) {
      if (!c.door) continue;
      task.doors.push_back(along(c, c.place));
      task.before.set_wall(along(c, c.place), c.before);
      task.after.set_wall(along(c, c.place), c.after);
    }
    return task;
  }

  Cell place(int node) const { return {node % side_ * kPitch + 1, node / side_ * kPitch + 1}; }

 private:
  void shuffle() {
    for (std::size_t i = corridors_.size(); i > 1; --i) {
      std::swap(corridors_[i - 1], corridors_[static_cast<std::size_t>(random_.below(static_cast<int>(i)))]);
    }
  }

  int scaled(int given, int usual) const {
    return given >= 0 ? given : static_cast<int>(std::lround(usual * options_.size * options_.size / kArea));
  }

  Cell along(const Corridor& c, int k) const { return place(c.from) + (c.to == c.from + 1 ? Cell{k, 0} : Cell{0, k}); }

  bool try_close(Corridor& c, bool Corridor::*when) {
    if (!c.cut || c.place == 0 || c.*when) return false;
    c.*when = true;
    if (!joined(when)) {
      c.*when = false;
      return false;
    }
    if (!c.door) c.door = true, c.place = 1 + random_.below(2);
    return true;
  }

  bool joined(bool Corridor::*closed) const {
    std::vector<int> group(static_cast<std::size_t>(side_ * side_));
    std::iota(group.begin(), group.end(), 0);
    for (const Corridor& c : corridors_) {
      const int a = group[static_cast<std::size_t>(c.from)], b = group[static_cast<std::size_t>(c.to)];
      if (c.cut && !(c.*closed) && a != b) std::ranges::replace(group, b, a);
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

Task draw_lattice(const LatticeOptions& options, std::uint64_t seed) {
  Random random(seed, 7ULL << 48U);
  Drawing drawing(options, random);
  drawing.cut_corridors();
  drawing.open_rooms();
  drawing.hang_doors();
  Task task = drawing.draw();
  task.seed = seed;
  // far enough apart that there is something to find
  const int nodes = (options.size / kPitch) * (options.size / kPitch);
  do {
    task.start = drawing.place(random.below(nodes));
    task.goal = drawing.place(random.below(nodes));
    measure(task);
  } while (task.shortest < options.size);
  // while somebody on the shortest way would still be under way
  task.change_at = static_cast<int>(task.shortest * random.uniform(0.2, 0.8));
  return task;
}

}  // namespace elastane::maze
