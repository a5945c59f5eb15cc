// lab/plant/settings.cpp: tuned settings and published figures.
#include "lab/plant/settings.h"

#include <gtest/gtest.h>

namespace elastane::plant {
namespace {

TEST(Settings, AreReadFromTheExperiment) {
  const Settings& all = settings();
  EXPECT_EQ(all.circuit.drift, 3e-4);
  EXPECT_EQ(all.reactor.noise, 0.05);
  EXPECT_EQ(all.reactor_sensors.sensor_spread, 0.3);
  EXPECT_EQ(all.reactor_published, ".50, −.74 → .99, .99");
  ASSERT_EQ(all.sweep.size(), 5u);
  EXPECT_EQ(all.sweep[4].parts.capacitance, 1050e-9);
  EXPECT_EQ(all.sweep[4].published, ".32 → .73, .75, .99");
  EXPECT_EQ(all.generic.readout_rank, 2);
}

}  // namespace
}  // namespace elastane::plant
