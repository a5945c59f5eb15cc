// Tests of elastane/core/network/workspace.h.
#include "elastane/core/network/workspace.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/core/models.h"

namespace elastane {
namespace {

TEST(Workspace, CopiesAreEqualAndIndependent) {
  const Model model = model_of(hybrid_config());
  Workspace workspace(model.network(), 4);
  workspace.hidden[3][1] = 2.0F;
  workspace.output[0][0] = 3.0F;
  Workspace copy(workspace);
  EXPECT_EQ(copy.capacity(), 4);
  EXPECT_EQ(std::memcmp(copy.block(), workspace.block(), workspace.bytes()), 0);
  workspace.hidden[3][1] = workspace.output[0][0] = 0.0F;
  EXPECT_EQ(copy.hidden[3][1], 2.0F);
  EXPECT_EQ(copy.output[0][0], 3.0F);
}

}  // namespace
}  // namespace elastane
