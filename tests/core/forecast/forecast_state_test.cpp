// elastane/core/forecast/forecast_state.cpp
#include "elastane/core/forecast/forecast_state.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/core/forecast/forecasters.h"

namespace elastane {
namespace {

TEST(ForecastState, ArraysLieInOrderWithinTheBlock) {
  ForecastState state{ForecastSizes(small_config())};
  std::vector<double> block(state.doubles());
  state.carve(block.data());
  const double* const begin = block.data();
  const double* const end = begin + block.size();
  EXPECT_EQ(reinterpret_cast<const double*>(state.header), begin);
  const double* before = begin;
  for (const double* array : {state.begun, state.strange, state.lowest, state.highest, state.features, state.anchor,
                              state.guesses, state.mixed, state.gains, state.weights, state.covariance, state.shares}) {
    EXPECT_TRUE(array > before && array < end);
    before = array;
  }
}

TEST(ForecastState, SlotsRepeatWithTheHorizonAlsoBeforeTheFirstRow) {
  const ForecastState state{ForecastSizes(small_config(4))};
  EXPECT_EQ(state.slot(0), 0);
  EXPECT_EQ(state.slot(5), 1);
  EXPECT_EQ(state.slot(-1), 3);
  EXPECT_EQ(state.slot(4e15), 0);
}

}  // namespace
}  // namespace elastane
