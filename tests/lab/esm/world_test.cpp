// lab/esm/world.h
#include "lab/esm/world.h"

#include <gtest/gtest.h>

namespace elastane::esm {
namespace {

TEST(EsmWorld, IsOneTableWithItsOptions) {
  const lab::World all = world();
  ASSERT_EQ(all.reproductions.size(), 1U);
  EXPECT_EQ(all.reproductions[0].name, "esm");
  command_line::Command command("esm", "");
  all.reproductions[0].declare(command);
  EXPECT_TRUE(command.has("--figure"));
  EXPECT_TRUE(command.has("--models"));
  EXPECT_FALSE(command.has("--agents"));  // it is a table of all of them
}

}  // namespace
}  // namespace elastane::esm
