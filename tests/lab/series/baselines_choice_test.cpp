// lab/series/baselines_choice.cpp
#include "lab/series/baselines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/lab/series/drawn_rows.h"

namespace elastane::series {
namespace {

Dataset dataset(const std::vector<std::vector<double>>& x) {
  Dataset data;
  data.targets = x[0].size();
  data.series.resize(1);
  data.series[0].channels = x[0].size();
  for (std::size_t c = 0; c < x[0].size(); ++c) data.names.push_back("x" + std::to_string(c));
  for (const auto& row : x) {
    data.series[0].values.insert(data.series[0].values.end(), row.begin(), row.end());
    data.series[0].ticks.push_back(data.series[0].ticks.size());
  }
  return data;
}

TEST(Choice, takes_what_is_best_on_the_held_out_rows_for_every_target) {
  Random random(5);
  std::vector<std::vector<double>> x;
  double walk = 0;
  for (int r = 0; r < 600; ++r) x.push_back({walk += random.normal(), random.normal()});
  std::vector<std::unique_ptr<Univariate>> candidates;
  candidates.push_back(smoothing({.level = 0.02}));
  candidates.push_back(smoothing({.level = 1.0}));
  const Dataset data = dataset(x);
  const auto chosen = choose_each_target(std::move(candidates), data, {{400}, {100}, {100}}, {{"", {0, 0}, {1, 1}}}, 1);
  for (const auto& row : x) chosen->follow(row);
  std::vector<double> y(2);
  chosen->forecast(y);
  EXPECT_EQ(y[0], x.back()[0]);     // a random walk: the last value
  EXPECT_LT(std::fabs(y[1]), 0.5);  // noise: a long mean
}

}  // namespace
}  // namespace elastane::series
