// Tests of elastane/core/latent/stack_description.cpp: sizes and parts. What the two programs compute is tested by
// neural_stack_test.cpp and neural_stack_roll_test.cpp.
#include "elastane/core/latent/stack_description.h"

#include <gtest/gtest.h>

#include "tests/core/models.h"

namespace elastane {
namespace {

TEST(StackDescription, ListsThePartsOfACarriedRowOneAfterTheOther) {
  const StackDescription description(model_of(hybrid_config()), {.persistent = {.output_bias = true}});
  int offset = 0;
  for (const StackPart& part : description.parts) {
    EXPECT_EQ(part.offset, offset);
    offset += part.count();
  }
  EXPECT_EQ(description.carried, offset);
  EXPECT_EQ(description.parts.size(), description.decode.before.size());
  EXPECT_EQ(description.parts.size(), description.roll.after.size());
  EXPECT_EQ(description.persistent, 2) << "a bias for each output";
  EXPECT_LE(description.latents, description.carried);
}

TEST(StackDescription, HasFewerLatentsIfOnlyTheTopBlockMoves) {
  const Model model = model_of(hybrid_config());
  const StackDescription all(model, {}), top(model, {.top_block_only = true});
  EXPECT_LT(top.latents, all.latents);
  EXPECT_GT(top.latents, 0);
  EXPECT_EQ(top.carried, all.carried);
}

TEST(StackDescription, CountsPersistentCoordinates) {
  const Model model = model_of(one_block(GruConfig{}));  // 3 inputs, 2 outputs
  const PersistentLayout layout{.output_gain = true, .input_gain = true, .input_bias = true, .time_scale = true};
  EXPECT_EQ(moving_coordinates(model, layout), 3 + 3 + 1);
  EXPECT_EQ(coordinate_count(model, layout), 2 + 3 + 3 + 1);
  EXPECT_EQ(coordinate_count(model, {.input_bias = true, .adapted_inputs = 2}), 2);
  EXPECT_EQ(StackDescription(model, {.persistent = layout}).persistent, 9);
}

TEST(StackDescription, JudgesAllOutputsByDefault) {
  const Model model = model_of(one_block(GruConfig{}));
  EXPECT_EQ(StackDescription(model, {}).judged, 2);
  EXPECT_EQ(StackDescription(model, {.judged = 1}).judged, 1);
}

}  // namespace
}  // namespace elastane
