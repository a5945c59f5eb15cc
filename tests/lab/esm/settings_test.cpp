// lab/esm/settings.h
#include "lab/esm/settings.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::esm {
namespace {

TEST(EsmSettings, TheJoinedBenchmarksAreAmongTheWorlds) {
  for (const std::string& name : {settings().success_of, settings().energy_of}) {
    EXPECT_TRUE(std::ranges::any_of(settings().worlds, [&](const TableWorld& w) { return w.benchmark == name; }))
        << name;
  }
}

TEST(EsmSettings, PublishedFiguresAreThoseOfThePoster) {
  ASSERT_EQ(settings().published.size(), 4U);
  const auto at = std::ranges::find(settings().published, "esm", &PublishedRow::agent);
  ASSERT_NE(at, settings().published.end());
  EXPECT_EQ(at->success, 0.96);
  EXPECT_EQ(at->energy, 0.68);
  EXPECT_EQ(at->compute, 0.78);
}

}  // namespace
}  // namespace elastane::esm
