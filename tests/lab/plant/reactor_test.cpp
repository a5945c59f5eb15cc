// lab/plant/reactor.h: laws of the reactor, of its integration, and of what drives it.
#include "lab/plant/reactor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::reactor {
namespace {

TEST(Reactor, WithoutFlowAndWithOneReactionKeepsItsMass) {
  // E of 1e6 stops the other three at T < 1
  const Chemistry only_first{.energies = {8.33, 1e6, 1e6, 1e6}};
  State s{0.7, 0.1};
  for (int t = 0; t < 100; ++t) {
    s = advance(s, only_first, {.flow = 0, .temperature = 0.9});
    EXPECT_NEAR(s.a + s.r, 0.8, 1e-12);  // what A loses R gains
  }
  EXPECT_LT(s.a, 0.7);
}

TEST(Reactor, WithoutReactionsTakesOnItsInflow) {
  const Chemistry inert{.energies = {1e6, 1e6, 1e6, 1e6}};
  State s{0.1, 0.9};
  for (int t = 0; t < 400; ++t) s = advance(s, inert, {.flow = 1, .temperature = 0.9});
  EXPECT_NEAR(s.a, 0.8, 1e-12);
  EXPECT_NEAR(s.r, 0.2, 1e-12);
}

TEST(Reactor, SettlesWhereBothBalancesVanish) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Chemistry chemistry = random_chemistry(random);
    const Drive drive{random.uniform(0.7, 1.05), random.uniform(0.7, 1.05)};
    State s{random.uniform(), random.uniform()};
    for (int t = 0; t < 1000; ++t) s = advance(s, chemistry, drive);
    const auto k = rates(chemistry, drive.temperature);
    EXPECT_NEAR(drive.flow * (chemistry.feed - s.a) - k[0] * s.a + k[3] * s.r, 0, 1e-9);
    // all of what flows in flows out: A, R, and the rest
    const double rest = 1 - s.a - s.r;
    EXPECT_NEAR(drive.flow * rest - k[1] * s.r + k[2] * rest, 0, 1e-9);
    EXPECT_GT(std::min({s.a, s.r, rest}), -1e-12);
  }
}

TEST(Reactor, IsIntegratedToFourthOrder) {
  const Drive drive{1, 1.05};
  const State start{0.2, 0.7}, exact = advance(start, {}, drive, 256);
  const auto error = [&](int n) {
    const State s = advance(start, {}, drive, n);
    return std::hypot(s.a - exact.a, s.r - exact.r);
  };
  EXPECT_NEAR(std::log2(error(1) / error(2)), 4, 0.3);
  EXPECT_NEAR(std::log2(error(2) / error(4)), 4, 0.3);
  EXPECT_LT(error(2), 1e-6);
}

TEST(Reactor, OfOneSeedIsAlwaysTheSame) {
  const Options options{.steps = 200, .changes = {{50, kPublishedChange}}};
  const plant::Record a = simulate(3, options), b = simulate(3, options), c = simulate(4, options);
  EXPECT_EQ(a.u, b.u);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.start, b.start);
  EXPECT_NE(a.y, c.y);
}

TEST(Reactor, HasUnitsAndParametersThatGiveBackWhatWentIn) {
  const State s{0.3, 0.4}, again = state_of(output_of(s));
  EXPECT_NEAR(again.a, s.a, 1e-6);
  EXPECT_NEAR(again.r, s.r, 1e-6);
  for (const double value : parameters_of({})) EXPECT_EQ(value, 0);
  const Chemistry changed = chemistry_of(parameters_of(kPublishedChange));
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(changed.energies[i], kPublishedChange.energies[i], 1e-12);
  EXPECT_NEAR(changed.feed, kPublishedChange.feed, 1e-12);
}

TEST(Reactor, IsDrivenWithinItsBounds) {
  const std::vector<float> rows = drives(1, {.steps = 500});
  for (std::size_t t = 0; t < 500; ++t) {
    const Drive drive = drive_of(std::span(rows).subspan(2 * t, 2));
    EXPECT_GE(std::min(drive.flow, drive.temperature), 0.7 - 1e-6);
    EXPECT_LE(std::max(drive.flow, drive.temperature), 1.05 + 1e-6);
    EXPECT_TRUE(t % 50 == 0 || rows[2 * t + 1] == rows[2 * t - 1]);  // held between jumps
  }
}

}  // namespace
}  // namespace elastane::reactor
