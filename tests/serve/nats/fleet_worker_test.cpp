// elastane/serve/nats/fleet_worker.cpp
#include "elastane/serve/nats/fleet_worker.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(FleetWorker, BeatsComeBackAndOtherTextIsRefused) {
  const std::string text = beat_text("w\"1", {{.number = 3, .state = "ready", .rows = 12, .lag = 4}}, false);
  const Beat beat = parse_beat(text).value();
  EXPECT_EQ(beat.name, "w\"1");
  EXPECT_FALSE(beat.leaves);
  ASSERT_EQ(beat.partitions.size(), 1U);
  EXPECT_EQ(beat.partitions[0].owner, "w\"1");
  EXPECT_EQ(beat.partitions[0].lag, 4U);
  EXPECT_TRUE(parse_beat(beat_text("a", {}, true)).value().leaves);
  for (const char* bad : {"", "{}", "[]", "{\"name\":3}", "{\"name\":\"a\"", "x"}) EXPECT_FALSE(parse_beat(bad)) << bad;
  EXPECT_TRUE(parse_beat(R"({"name":"a","partitions":[1,{"number":-1},{"number":"x"}]})"));
}

}  // namespace
}  // namespace elastane::serve
