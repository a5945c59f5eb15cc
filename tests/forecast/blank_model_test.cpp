// elastane/forecast/blank_model.cpp
#include "elastane/forecast/blank_model.h"

#include <gtest/gtest.h>

#include "elastane/core/forecast/forecaster.h"
#include "tests/forecast/seasonal_rows.h"

namespace elastane {
namespace {

ForecastConfig config(int neighbours) {
  ForecastConfig c;
  c.channels = 3;
  c.targets = 1;
  c.neighbours = neighbours;
  return c;
}

// a target that repeats one of two channels a row later
Dataset led_rows() {
  Random random(3);
  std::vector<double> values;
  double lead = 0;
  for (int r = 0; r < 200; ++r) {
    const double before = lead;
    lead = random.normal();
    values.insert(values.end(), {10 + 2 * before, random.normal(), lead});
  }
  return make_dataset(values, {"target", "noise", "lead"}, 1).value();
}

TEST(BlankModel, UnitsAreThoseOfTheRowsToLearnFrom) {
  Dataset data = make_dataset(std::vector<double>{1, 2, 3, 100}, {"x"}).value();
  ForecastConfig c;
  c.neighbours = 1;
  const ForecastModel model = blank_model(data, {{3, 4, 4}}, c);
  EXPECT_DOUBLE_EQ(model.mean[0], 2);
  EXPECT_NEAR(model.deviation[0], std::sqrt(2.0 / 3), 1e-12);
  EXPECT_TRUE(model.units.empty());
  data.series.push_back(data.series[0]);
  EXPECT_EQ(blank_model(data, {{3, 4, 4}, {4, 4, 4}}, c).units.size(), 2U);
}

TEST(BlankModel, TheStrongestChannelsAreNeighbours) {
  const Dataset data = led_rows();
  const std::vector<SplitEnds> ends = {{200, 200, 200}};
  EXPECT_EQ(blank_model(data, ends, config(3)).neighbour, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(blank_model(data, ends, config(2)).neighbour, (std::vector<std::int32_t>{0, 2}));
}

TEST(BlankModel, IsAModelThatAForecasterAccepts) {
  const ForecastModel model = blank_model(led_rows(), {{200, 200, 200}}, config(2));
  EXPECT_TRUE(validate(model)) << validate(model).error();
}

}  // namespace
}  // namespace elastane
