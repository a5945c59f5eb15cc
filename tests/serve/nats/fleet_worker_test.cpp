// elastane/serve/nats/fleet_worker.cpp
#include "elastane/serve/nats/fleet_worker.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(FleetWorker, BeatsComeBackAndOtherTextIsRefused) {
  Beat sent{.name = "w\"1", .partitions = {{.number = 3, .state = "ready", .rows = 12, .lag = 4}}};
  sent.step_times[4] = 7;
  const std::string text = beat_text(sent);
  const Beat beat = parse_beat(text).value();
  EXPECT_EQ(beat.name, "w\"1");
  EXPECT_FALSE(beat.leaves);
  ASSERT_EQ(beat.partitions.size(), 1U);
  EXPECT_EQ(beat.partitions[0].owner, "w\"1");
  EXPECT_EQ(beat.partitions[0].lag, 4U);
  EXPECT_EQ(beat.step_times, sent.step_times);
  EXPECT_TRUE(parse_beat(beat_text({.name = "a", .leaves = true})).value().leaves);
  for (const char* bad : {"", "{}", "[]", "{\"name\":3}", "{\"name\":\"a\"", "x"}) EXPECT_FALSE(parse_beat(bad)) << bad;
  EXPECT_TRUE(parse_beat(R"({"name":"a","partitions":[1,{"number":-1},{"number":"x"}],"step_times":[-1,"x",3]})"));
}

}  // namespace
}  // namespace elastane::serve
