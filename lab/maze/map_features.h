// What a head sees of a map around the walker, move by move, and what a network may be told of it instead.
#pragma once

#include <array>
#include <span>

#include "lab/maze/map_latent.h"

namespace elastane::maze {

// of one move; the same of all moves, so that one small network can judge each, also diagonals
//   0  by how many steps it is worse than the best, of 8 at most      4  it goes on as before
//   1  it leads to no known way                                       5  it turns back
//   2  no move leads to one                                           6  it goes towards the goal: a cosine
//   3  how often the walker was there: n/(1 + n)                      7  ways on from there, of 3
inline constexpr int kMoveFeatures = 8;
using MoveFeatures = std::array<double, kMoveFeatures>;
using Around = std::array<MoveFeatures, kMostWays>;

// z: the map's latent, or what a correction would make of it
void look_around(const MapLatent& map, std::span<const double> z, const Sight& sight, Around& around);

// The same for a network, beside what it is told anyway (language.h): the features of the four straight moves, and the
// map's occupancy and trace in a window around the walker.
inline constexpr int kCrop = 7;
inline constexpr int kMapInputs = 4 * kMoveFeatures + 2 * kCrop * kCrop;
void speak(const MapLatent& map, const Sight& sight, std::span<float> x);

}  // namespace elastane::maze
