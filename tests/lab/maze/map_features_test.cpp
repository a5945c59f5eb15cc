// lab/maze/map_features.cpp: what heads and networks get from a map.
#include "lab/maze/map_features.h"

#include <gtest/gtest.h>

#include "lab/maze/lattice.h"
#include "tests/lab/maze/drawn_grid.h"

namespace elastane::maze {
namespace {

TEST(MapFeatures, CompareMovesByTheirPaths) {
  const Grid grid = drawn({".....", ".###.", "....."});
  MapLatent map(5, 3, Moves::four);
  map.begin(grid, {4, 0});
  const Observation observation{
      .view = view_at(grid, {1, 0}), .position = {1, 0}, .goal = {4, 0}, .last_move = 2, .bumped = false};
  map.write(observation);
  AllMoveFeatures features;
  move_features(map, map.z(), observation, features);
  EXPECT_DOUBLE_EQ(features[0][0], 0);          // the best move
  EXPECT_NEAR(features[2][0], 2.0 / 8, 1e-12);  // back again costs two steps more
  EXPECT_DOUBLE_EQ(features[1][1], 1);          // a wall
  EXPECT_DOUBLE_EQ(features[0][5], 1);          // it turns back
  EXPECT_DOUBLE_EQ(features[2][4], 1);          // it continues
  EXPECT_DOUBLE_EQ(features[0][6], 1);          // towards the goal
  EXPECT_NEAR(features[0][7], 1.0 / 3, 1e-12);  // one exit
}

TEST(MapFeatures, AreTheFirstInputsOfANetwork) {
  const Episode episode = draw_lattice({}, 2);
  MapLatent map(15, 15, Moves::four);
  map.begin(episode.plan, episode.goal);
  const Observation observation = Environment(episode).observe();
  map.write(observation);
  std::array<float, kMapInputs> x;
  encode_map(map, observation, x);
  AllMoveFeatures features;
  move_features(map, map.z(), observation, features);
  EXPECT_EQ(x[kMoveFeatures + 6], static_cast<float>(features[1][6]));
  EXPECT_EQ(x[4 * kMoveFeatures + kCrop * kCrop], 0.5F);  // visits of the own cell, in the middle: 1/(1 + 1)
}

}  // namespace
}  // namespace elastane::maze
