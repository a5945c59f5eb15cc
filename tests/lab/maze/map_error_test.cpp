// lab/maze/map_error.h: messages about maps.
#include "lab/maze/map_error.h"

#include <gtest/gtest.h>

namespace elastane::maze {
namespace {

TEST(MapError, SaysWhereWhatWasExpectedWhatWasFoundAndWhatToDo) {
  EXPECT_EQ(map_error(cell_name({1, 2}), size_name(3, 4), "none", "change it").message,
            "[maze] cell (1, 2): expected 3 x 4, found none; change it");
}

}  // namespace
}  // namespace elastane::maze
