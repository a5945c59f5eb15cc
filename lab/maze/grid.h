// A grid of cells, free or walls, and the lengths of ways over it.
//
// Moves go to the four neighbours at length 1, or to all eight with diagonals at √2, which may not cut a corner: both
// cells beside a diagonal must be free. Beyond the edge all is wall.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

namespace elastane::maze {

struct Cell {
  int x = 0, y = 0;

  Cell operator+(Cell q) const { return {x + q.x, y + q.y}; }
  Cell operator-(Cell q) const { return {x - q.x, y - q.y}; }
  bool operator==(const Cell&) const = default;
};

enum class Moves : std::uint8_t { four, eight };

// the straight ones first: four moves are the first four of eight
inline constexpr int kMostWays = 8;
inline constexpr std::array<Cell, kMostWays> kWays = {
    {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
inline constexpr int kStay = -1;  // no move at all
constexpr int way_count(Moves moves) { return moves == Moves::four ? 4 : 8; }
constexpr double way_length(int way) { return way < 4 ? 1.0 : std::numbers::sqrt2; }
constexpr int reverse(int way) { return way < 4 ? (way + 2) % 4 : 4 + (way - 2) % 4; }

inline constexpr double kNoWay = std::numeric_limits<double>::infinity();

class Grid {
 public:
  Grid() = default;
  Grid(int width, int height, bool wall)
      : width_(width),
        height_(height),
        walls_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), wall) {}

  int width() const { return width_; }
  int height() const { return height_; }
  int cells() const { return width_ * height_; }
  bool has(Cell c) const { return c.x >= 0 && c.y >= 0 && c.x < width_ && c.y < height_; }
  int index(Cell c) const { return c.y * width_ + c.x; }
  Cell cell(int index) const { return {index % width_, index / width_}; }

  bool is_wall(int index) const { return walls_[static_cast<std::size_t>(index)] != 0; }
  bool is_wall(Cell c) const { return !has(c) || is_wall(index(c)); }
  void set_wall(Cell c, bool wall) { walls_[static_cast<std::size_t>(index(c))] = wall; }

  bool can_move(Cell from, int way) const {
    const Cell step = kWays[static_cast<std::size_t>(way)];
    if (is_wall(from + step)) return false;
    return way < 4 || (!is_wall(from + Cell{step.x, 0}) && !is_wall(from + Cell{0, step.y}));
  }

  bool operator==(const Grid&) const = default;

 private:
  int width_ = 0, height_ = 0;
  std::vector<std::uint8_t> walls_;
};

// of the shortest ways from all cells to the goal; kNoWay where there is none
std::vector<double> lengths_to(const Grid& grid, Cell goal, Moves moves);

}  // namespace elastane::maze
