// Tasks whose answers need depth: which cells of a grid a start can reach, and the parity of every prefix of some bits.
//
// A cell has two features. Of a grid: it is free, it is the start. Of a line: its bit, it is the first. Its answer is a
// class: 1 where it can be reached, or where the parity is odd.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace elastane::frost {

enum class Task : std::uint8_t { grid, parity };

struct Episode {
  Task task = Task::grid;
  int rows = 0, cols = 0;
  std::vector<float> features;       // [cell][2]
  std::vector<std::uint8_t> labels;  // [cell]
  // iterations after which information from the start can have reached every cell: eccentricity + 1, or the bits
  int oracle_depth = 0;

  int cells() const { return rows * cols; }
};

// `size`: side of the grid, or bits. Obstacles cover .25 to .45 of a grid; the start is a free cell
Episode draw_episode(Task task, int size, std::uint64_t seed);

// labels and oracle depth of a grid again, after a cell was opened or closed
void label_grid(Episode& episode);

Task parse_task(const std::string& name);  // throws

}  // namespace elastane::frost
