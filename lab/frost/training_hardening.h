// The end of training a recursion over cells: curves go to their ends, every channel passes on one channel alone, and of a
// grid only the channels that decide the class are kept.
//
// A cell's exit waits until every channel has settled. Channels that run along other paths than the frontier, through
// walls for instance, settle after it and decide nothing.
#pragma once

#include <optional>
#include <vector>

#include "elastane/train/weights.h"
#include "lab/frost/episode.h"

namespace elastane::frost {

// How undecided gates and mixing weights still are: 8 x 8 cells do not tell a gate of .97 from one of 1, larger grids do
at::Tensor indecision(const train::Weights& weights, Task task);

// Every row mixes one channel alone, its largest. With a share of another one, neighbouring cells fill each other up at
// rate c: h then approaches its value for a hundred iterations instead of reaching it
void mix_one_channel(const train::Weights& weights);

// gates to their ends, with the signs that they have: on a line, .9 loses the sign of the 48th bit
void saturate_gates(const train::Weights& weights, Task task);

// Of a grid: G of every kind of cell, wall, free and start, becomes the nearer one of 0 and 1; I becomes 1 where it is above
// half of its channel's largest, and 0 elsewhere
void round_cells(const train::Weights& weights);

// The fewest channels that decide alone: one whose h is larger in every cell of class 1 than in any of class 0, and those
// that it is made of. h (episodes, channels, cells), labels (episodes, cells). None: no channel does
std::optional<std::vector<int>> deciding_channels(const train::Weights& weights, const at::Tensor& h,
                                                  const at::Tensor& labels);

// Of a grid: injection, gates and mixing of these channels become those of a network that has no others. Its read-out
// stays as it is: one that was learned with all channels may not look at these
void keep_channels(const train::Weights& from, const std::vector<int>& kept, const train::Weights& to);

}  // namespace elastane::frost
