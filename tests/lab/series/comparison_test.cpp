// lab/series/comparison.cpp
#include "lab/series/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/series/synthetic.h"

namespace elastane::series {
namespace {

const DataSplit kSplit{{500}, {200}, {200}};

Dataset stream(std::size_t rows = 900) { return synthetic({.seed = 4, .rows = rows, .channels = 2, .season = 12}); }

ComparisonOptions options(int horizon = 3) {
  ComparisonOptions o;
  o.fit.horizon = horizon;
  o.fit.split = kSplit;
  o.fit.find_price = true;
  return o;
}

TEST(Comparison, persistence_is_what_a_loop_says) {
  const Dataset data = stream();
  ComparisonOptions o = options(2);
  o.methods = {"persistence"};
  const Comparison e = compare_methods(data, o);
  const Series& s = data.series.front();
  double sum = 0, n = 0;
  for (std::size_t r = 700; r + 2 < 900; ++r) {
    for (std::size_t h = 1; h <= 2; ++h) {
      for (std::size_t c = 0; c < 2; ++c) {
        const double error = (s.row(r + h)[c] - s.row(r)[c]) / e.fit.model->deviation[c];
        sum += error * error;
        n += 1;
      }
    }
  }
  ASSERT_EQ(e.results.size(), 1U);
  EXPECT_NEAR(e.results[0].score.mse, sum / n, 1e-10);
  EXPECT_EQ(e.results[0].score.rows, 200U);
}

TEST(Comparison, gives_the_same_figures_twice) {
  const Dataset data = stream();
  const Comparison one = compare_methods(data, options()), two = compare_methods(data, options());
  ASSERT_EQ(one.results.size(), two.results.size());
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    EXPECT_EQ(one.results[i].score.mse, two.results[i].score.mse) << one.results[i].method;
    EXPECT_EQ(one.results[i].score.coverage, two.results[i].score.coverage);
  }
}

TEST(Comparison, continues_over_gaps_and_missing_values) {
  Dataset data = stream();
  Series& s = data.series.front();
  for (std::size_t r = 100; r < s.rows(); r += 13) s.values[r * 2 + r % 2] = NAN;
  for (std::size_t r = 400; r < s.rows(); ++r) s.ticks[r] += 9;
  for (std::size_t r = 750; r < s.rows(); ++r) s.ticks[r] += 5000;
  for (const MethodResult& j : compare_methods(data, options()).results) {
    EXPECT_TRUE(std::isfinite(j.score.mse) && j.score.mse < 20) << j.method << j.score.mse;
    EXPECT_GT(j.score.coverage, 0.7) << j.method;
  }
}

TEST(Comparison, means_over_the_series_of_long_form) {
  Dataset data = stream(), other = synthetic({.seed = 9, .rows = 900, .channels = 2, .season = 12});
  data.series[0].id = "one";
  data.series.push_back(other.series.front());
  data.series[1].id = "two";
  for (double& x : data.series[1].values) x = 100 + 10 * x;
  const Comparison e = compare_methods(data, options());
  for (const MethodResult& j : e.results) {
    EXPECT_TRUE(std::isfinite(j.score.mse) && j.score.mse < 4) << j.method << j.metric << " " << j.score.mse;
    EXPECT_EQ(j.score.rows, 400U);
    EXPECT_LE(j.score.depth, 4) << j.method;  // two read-outs of two targets; rows before the test do not count
  }
}

TEST(Comparison, a_test_without_rows_is_refused) {
  ComparisonOptions o = options();
  o.fit.split = {{600}, {300}, {100}};
  EXPECT_THROW(compare_methods(stream(), o), std::runtime_error);
}

}  // namespace
}  // namespace elastane::series
