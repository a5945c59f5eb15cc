// lab/plant/published_runs.cpp: the source's data.
#include "lab/plant/published_runs.h"

#include <gtest/gtest.h>

#include "tests/data.h"

namespace elastane::plant {
namespace {

TEST(PublishedRuns, HaveTheColumnsOfTheirPlants) {
  const PublishedRuns runs(data_folder());
  if (!runs.found()) GTEST_SKIP() << "no " << runs.folder() << "; set ELASTANE_DATA to have it";
  const auto circuit = runs.circuit("train").value();
  ASSERT_EQ(circuit.size(), 1u);
  EXPECT_EQ(circuit[0].outputs, 2);
  EXPECT_EQ(circuit[0].u.size() * 2, circuit[0].y.size());
  const auto own = runs.reactor("eval", false).value(), converted = runs.reactor("eval", true).value();
  ASSERT_EQ(own.size(), converted.size());
  EXPECT_EQ(own[0].start.size(), 2u);
  EXPECT_FLOAT_EQ(converted[0].y[0], 1.165437F * own[0].y[0]);
}

TEST(PublishedRuns, AreMissedWithoutData) {
  EXPECT_FALSE(PublishedRuns("nowhere").found());
  EXPECT_FALSE(PublishedRuns("nowhere").circuit("train"));
  EXPECT_FALSE(PublishedRuns("nowhere").reactor("train", true));
}

}  // namespace
}  // namespace elastane::plant
