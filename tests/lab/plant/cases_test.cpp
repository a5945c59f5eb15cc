// lab/plant/cases.cpp: the changed plants of the tables.
#include "lab/plant/cases.h"

#include <gtest/gtest.h>

namespace elastane::plant {
namespace {

TEST(Cases, HaveNoiseToAdaptOnAndNoneForTheScore) {
  const Case runs = reactor_case(reactor::kPublishedChange, 1);
  ASSERT_EQ(runs.transfer.size(), 15u);
  ASSERT_EQ(runs.eval.size(), 15u);
  const reactor::Options options{.steps = 1024, .changes = {{0, reactor::kPublishedChange}}};
  EXPECT_EQ(runs.eval[0].y, reactor::simulate(1500, options).y);
  EXPECT_EQ(runs.transfer[0].u, reactor::simulate(1000, options).u);
  EXPECT_NE(runs.transfer[0].y, reactor::simulate(1000, options).y);
}

TEST(Cases, AReturningPlantHasTheSameInputsInEveryPhase) {
  const Record record = returning_reactor(drawn_chemistry(2), 2, 400);
  ASSERT_EQ(record.steps(), 1200);
  for (int t = 0; t < 400; ++t) {
    EXPECT_EQ(record.input(t)[0], record.input(400 + t)[0]);
    EXPECT_EQ(record.input(t)[1], record.input(800 + t)[1]);
  }
  EXPECT_NEAR(record.output(399)[0], record.output(1199)[0], 1e-3);
  EXPECT_GT(std::abs(record.output(399)[0] - record.output(799)[0]), 1e-2);
}

TEST(Cases, ADrawnPlantDependsOnItsSeedOnly) {
  EXPECT_EQ(drawn_parts(3).resistance, drawn_parts(3).resistance);
  EXPECT_NE(drawn_parts(3).resistance, drawn_parts(4).resistance);
}

}  // namespace
}  // namespace elastane::plant
