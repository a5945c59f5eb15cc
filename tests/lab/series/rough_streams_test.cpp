// lab/series/rough_streams.cpp
#include "lab/series/rough_streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace elastane::series {
namespace {

RoughOptions options_for(Family family, Rough kind, double size) {
  RoughOptions options;
  options.family = family;
  options.kind = {kind, size};
  return options;
}

TEST(RoughStreams, AreEqualUpToTheDisturbance) {
  for (int family = 0; family <= static_cast<int>(Family::counts); ++family) {
    const auto calm = rough_stream(options_for(static_cast<Family>(family), Rough::none, 0));
    for (int kind = 1; kind <= static_cast<int>(Rough::noise); ++kind) {
      const auto rough = rough_stream(options_for(static_cast<Family>(family), static_cast<Rough>(kind), 30));
      const auto& a = calm.data.series[0].values;
      const auto& b = rough.data.series[0].values;
      ASSERT_EQ(a.size(), b.size());
      EXPECT_TRUE(std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(calm.at), b.begin()));
      // counts and intermittent demand draw from their law, without a noise that could grow
      const bool has_noise =
          family != static_cast<int>(Family::counts) && family != static_cast<int>(Family::intermittent);
      const bool is_changed = static_cast<Rough>(kind) != Rough::noise || has_noise;
      EXPECT_EQ(std::equal(a.begin(), a.end(), b.begin()), !is_changed) << name(static_cast<Rough>(kind));
    }
  }
}

TEST(RoughStreams, KnowTheirTruth) {
  const auto spike = rough_stream(options_for(Family::load, Rough::spike, 30));
  EXPECT_EQ(std::ranges::count(spike.faulty, true), 1);
  const auto unit = rough_stream(options_for(Family::load, Rough::unit, 1000));
  const auto calm = rough_stream(options_for(Family::load, Rough::none, 0));
  EXPECT_EQ(unit.data.series[0].values.back(), 1000 * calm.data.series[0].values.back());
  EXPECT_EQ(unit.gain.back(), 1000);
  const auto gap = rough_stream(options_for(Family::load, Rough::gap, 100));
  EXPECT_TRUE(std::isnan(gap.data.series[0].values[gap.at + 99]));
  EXPECT_FALSE(std::isnan(gap.data.series[0].values[gap.at + 100]));
}

}  // namespace
}  // namespace elastane::series
