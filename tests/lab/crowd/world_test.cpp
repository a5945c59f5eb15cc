// lab/crowd/world.h: what programs can reproduce.
#include "lab/crowd/world.h"

#include <gtest/gtest.h>

namespace elastane::crowd {
namespace {

TEST(CrowdWorld, ReproducesCrowdnavAndDenseCrowds) {
  const lab::World all = world();
  ASSERT_EQ(all.reproductions.size(), 2U);
  EXPECT_EQ(all.reproductions[0].name, "crowdnav");
  EXPECT_EQ(all.reproductions[1].name, "crowd");
}

}  // namespace
}  // namespace elastane::crowd
