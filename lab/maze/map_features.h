// The map around the agent as features of each move, for heads, and as inputs for networks.
#pragma once

#include <array>
#include <span>

#include "lab/maze/map_latent.h"

namespace elastane::maze {

// Features of one move, the same for all moves, so that one small network can score each of them, diagonals too.
//   0  excess steps over the best move, at most 8, over 8             4  1 if it continues in the same direction
//   1  1 if it leads to no known path                                 5  1 if it turns back
//   2  1 if no move leads to a known path                             6  cosine between the move and the goal
//   3  visits of the cell: n/(1 + n)                                  7  exits from there, over 3
inline constexpr int kMoveFeatures = 8;
using MoveFeatures = std::array<double, kMoveFeatures>;
using AllMoveFeatures = std::array<MoveFeatures, kMaxMoves>;

// z: the map's latent, or a corrected one
void move_features(const MapLatent& map, std::span<const double> z, const Observation& observation,
                   AllMoveFeatures& features);

// Inputs for a network in addition to the encoded observation (observation.h): the features of the four straight moves,
// and the map's occupancy and trace in a window around the agent.
inline constexpr int kCrop = 7;
inline constexpr int kMapInputs = 4 * kMoveFeatures + 2 * kCrop * kCrop;
void encode_map(const MapLatent& map, const Observation& observation, std::span<float> x);

}  // namespace elastane::maze
