// lab/series/synthetic.h
#include "lab/series/synthetic.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::series {
namespace {

TEST(Synthetic, a_seed_gives_one_stream_and_another_seed_another) {
  const Dataset one = synthetic({.seed = 1, .rows = 100}), same = synthetic({.seed = 1, .rows = 100});
  EXPECT_EQ(one.series[0].values, same.series[0].values);
  EXPECT_NE(one.series[0].values, synthetic({.seed = 2, .rows = 100}).series[0].values);
}

TEST(Synthetic, nothing_differs_before_the_change) {
  const Dataset still = synthetic({.rows = 400});
  for (const Change change : {Change::level, Change::phase, Change::gain, Change::slow}) {
    const Dataset changed = synthetic({.rows = 400, .change = change, .at = 200});
    const auto& a = still.series[0].values;
    const auto& b = changed.series[0].values;
    EXPECT_TRUE(std::equal(a.begin(), a.begin() + 200 * 4, b.begin())) << name(change);
    EXPECT_NE(a, b) << name(change);
  }
}

TEST(Synthetic, streams_stay_bounded) {
  for (const Change change : {Change::none, Change::gain}) {
    const Dataset data = synthetic({.rows = 20'000, .change = change});
    for (const double x : data.series[0].values) ASSERT_LT(std::fabs(x), 20);
  }
}

TEST(Repeated, is_the_held_out_part_in_whole_seasons) {
  Dataset data = synthetic({.rows = 1000});
  DataSplit split;
  const Dataset repeated = repeat_held_out(data, {{500}, {250}, {250}}, 3, split);
  const SplitEnds ends = split_ends(split, repeated.series[0].rows());
  EXPECT_EQ(ends.held_out - ends.learn, 240U);
  EXPECT_EQ(ends.test - ends.held_out, 720U);
  const Series& s = repeated.series[0];
  for (std::size_t r = ends.held_out; r < ends.test; ++r) {
    EXPECT_EQ(s.row(r)[0], data.series[0].row(500 + (r - 500) % 240)[0]);
    EXPECT_EQ(s.ticks[r], s.ticks[r - 1] + 1);
  }
}

}  // namespace
}  // namespace elastane::series
