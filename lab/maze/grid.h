// A grid of cells that are free or walls, and the lengths of paths over it.
//
// Moves lead to the four neighbours at length 1, or to all eight with diagonals at √2. A diagonal may not cut a corner:
// both cells beside it must be free. Everything beyond the edge is wall.
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

// straight moves first: the four moves are the first four of the eight
inline constexpr int kMaxMoves = 8;
inline constexpr std::array<Cell, kMaxMoves> kMoveSteps = {
    {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
inline constexpr int kStay = -1;  // no move
constexpr int move_count(Moves moves) { return moves == Moves::four ? 4 : 8; }
constexpr double move_length(int move) { return move < 4 ? 1.0 : std::numbers::sqrt2; }
constexpr int opposite(int move) { return move < 4 ? (move + 2) % 4 : 4 + (move - 2) % 4; }

inline constexpr double kUnreachable = std::numeric_limits<double>::infinity();

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

  bool can_move(Cell from, int move) const {
    const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
    if (is_wall(from + step)) return false;
    return move < 4 || (!is_wall(from + Cell{step.x, 0}) && !is_wall(from + Cell{0, step.y}));
  }

  bool operator==(const Grid&) const = default;

 private:
  int width_ = 0, height_ = 0;
  std::vector<std::uint8_t> walls_;
};

// length of the shortest path from every cell to the goal, kUnreachable where there is no path
std::vector<double> distances_to(const Grid& grid, Cell goal, Moves moves);

}  // namespace elastane::maze
