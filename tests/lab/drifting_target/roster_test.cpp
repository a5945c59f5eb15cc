// lab/drifting_target/roster.cpp: the methods of the table.
#include "lab/drifting_target/roster.h"

#include <gtest/gtest.h>

namespace elastane::drifting_target {
namespace {

TEST(Roster, BeginsWithTheClaimedOrder) {
  std::vector<std::string> ordered;
  for (const RosterEntry& entry : make_roster()) {
    if (entry.ordered) ordered.push_back(entry.name);
  }
  EXPECT_EQ(ordered,
            (std::vector<std::string>{"exact", "conjugate_gradient", "sketch", "euclidean", "literal", "none"}));
  EXPECT_EQ(make_roster().size(), 12u);
}

}  // namespace
}  // namespace elastane::drifting_target
