// lab/crowd/world.h: what programs can reproduce.
#include "lab/crowd/world.h"

#include <gtest/gtest.h>

namespace elastane::crowd {
namespace {

TEST(CrowdWorld, ReproducesCrowdnav) {
  const lab::World all = world();
  ASSERT_EQ(all.reproductions.size(), 1U);
  EXPECT_EQ(all.reproductions[0].name, "crowdnav");
}

}  // namespace
}  // namespace elastane::crowd
