// Tests of elastane/core/backbone/state_classes.h: slots of rings and rows of slow states are put back bit for bit.
#include "elastane/core/backbone/state_classes.h"

#include <gtest/gtest.h>

#include <numeric>

namespace elastane {
namespace {

TEST(RingPart, PutsBackTheSlotOfAPositionAndNothingElse) {
  // three slots of two floats each, the floats eight apart
  const RingPart part{.begin = 4, .window = 3, .slot_stride = 1, .count = 2, .stride = 8};
  std::vector<float> ring(32);
  std::iota(ring.begin(), ring.end(), 0.0F);
  const std::vector<float> before = ring;
  float kept[2];
  save_slot(part, ring.data(), 7, kept);  // slot 1
  EXPECT_EQ(kept[0], 5);
  EXPECT_EQ(kept[1], 13);
  ring[5] = ring[13] = -1;
  restore_slot(part, kept, 10, ring.data());  // the same slot
  EXPECT_EQ(ring, before);
}

class SlowStateOf : public testing::Test {
 protected:
  const SlowShape shape{.rows = 5, .row = 3, .most_changed = 2};
  std::vector<float> rows = std::vector<float>(15),
                     log = std::vector<float>(static_cast<std::size_t>(shape.log_floats()));
  SlowState state{rows.data(), log.data(), shape};

  void SetUp() override { std::iota(rows.begin(), rows.end(), 0.0F); }
};

TEST_F(SlowStateOf, UndoesEveryChangeOfAStep) {
  const std::vector<float> before = rows;
  state.change(3)[1] = 100;
  state.change(0)[0] = 200;
  state.change(3)[2] = 300;  // once more: its old values are kept already
  EXPECT_EQ(state.row(3)[1], 100);
  EXPECT_EQ(shape.logged_floats(log.data()), 1 + 2 * 4);
  state.undo();
  EXPECT_EQ(rows, before);
  EXPECT_EQ(shape.logged_floats(log.data()), 1);
}

TEST_F(SlowStateOf, GivesNoMoreRowsThanDeclared) {
  EXPECT_NE(state.change(1), nullptr);
  EXPECT_NE(state.change(2), nullptr);
  EXPECT_EQ(state.change(4), nullptr);
  EXPECT_NE(state.change(1), nullptr);
}

TEST_F(SlowStateOf, GivesNoRowThatIsNotThere) {
  EXPECT_EQ(state.change(-1), nullptr);
  EXPECT_EQ(state.change(5), nullptr);
}

TEST(SlowShape, WithoutRowsNeedsNoLog) { EXPECT_EQ(SlowShape{}.log_floats(), 0); }

}  // namespace
}  // namespace elastane
