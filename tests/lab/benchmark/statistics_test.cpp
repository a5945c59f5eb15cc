// Tests lab/benchmark/statistics.cpp.
#include "lab/benchmark/statistics.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "elastane/core/base/random.h"

namespace elastane::benchmark {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// coin flips of worlds that differ: true mean 0.5
std::vector<Term> clustered(Random& random, int worlds, int episodes, double shift = 0) {
  std::vector<Term> terms;
  for (int w = 0; w < worlds; ++w) {
    const double chance = 0.5 + shift + random.uniform(-0.35, 0.35);
    for (int e = 0; e < episodes; ++e) terms.push_back({w, random.uniform() < chance ? 1.0 : 0.0});
  }
  return terms;
}

TEST(Statistics, IntervalsCoverTheTruthAsOftenAsTheySay) {
  Random random(5);
  for (const auto& [worlds, episodes] : {std::pair(30, 12), std::pair(12, 40), std::pair(5, 40)}) {
    int covered = 0;
    constexpr int kRepeats = 400;
    for (int i = 0; i < kRepeats; ++i) {
      const Estimate e = estimate(clustered(random, worlds, episodes), {.draws = 400, .seed = random.bits()});
      covered += e.interval.low <= 0.5 && 0.5 <= e.interval.high ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(covered) / kRepeats, 0.95, 0.035) << worlds << " worlds";
  }
}

TEST(Statistics, IntervalsThatForgetTheWorldsWouldBeTooShort) {
  Random random(6);
  const std::vector<Term> terms = clustered(random, 16, 200);
  std::vector<Term> alone = terms;
  for (std::size_t i = 0; i < alone.size(); ++i) alone[i].world = static_cast<int>(i);
  const Interval honest = estimate(terms).interval, naive = estimate(alone).interval;
  EXPECT_GT(honest.high - honest.low, 3 * (naive.high - naive.low));
}

TEST(Statistics, OneEpisodeAWorldGivesTheIntervalOfTheMean) {
  Random random(7);
  std::vector<Term> terms;
  double sum = 0, squares = 0;
  for (int i = 0; i < 400; ++i) {
    terms.push_back({i, random.normal()});
    sum += terms.back().top;
    squares += terms.back().top * terms.back().top;
  }
  const double mean = sum / 400, half = 1.966 * std::sqrt((squares / 400 - mean * mean) / 399);
  const Estimate e = estimate(terms, {.draws = 10'000});
  EXPECT_NEAR(e.mean, mean, 1e-12);
  EXPECT_NEAR(e.interval.low, mean - half, 0.06 * half);
  EXPECT_NEAR(e.interval.high, mean + half, 0.06 * half);
}

TEST(Statistics, ARatioIsOneOfSumsAndNotAMeanOfRatios) {
  const std::vector<Term> terms = {{0, 1, 10}, {1, 3, 10}, {2, 0, 80}};
  EXPECT_DOUBLE_EQ(estimate(terms).mean, 0.04);
}

TEST(Statistics, TheMeanOfNothingIsNotANumber) {
  const std::vector<Term> terms = {{0, 0, 0}, {1, 0, 0}};
  EXPECT_TRUE(std::isnan(estimate(terms).mean));
  EXPECT_TRUE(std::isnan(estimate(terms).interval.low));
  EXPECT_TRUE(std::isnan(estimate({}).mean));
}

TEST(Statistics, FewWorldsAreTestedByEveryExchangeThereIs) {
  Random random(8);
  const std::vector<Term> a = clustered(random, 9, 20, 0.15), b = clustered(random, 9, 20);
  const Comparison c = compare(a, b);
  EXPECT_TRUE(c.exact);
  EXPECT_TRUE(c.by_world);
  // by enumeration of signs
  std::array<double, 9> d{};
  double found = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d[static_cast<std::size_t>(a[i].world)] += a[i].top - b[i].top;
  for (const double each : d) found += each;
  int extreme = 0;
  for (unsigned signs = 0; signs < 512; ++signs) {
    double sum = 0;
    for (unsigned w = 0; w < 9; ++w) sum += (signs >> w & 1U) != 0 ? -d[w] : d[w];
    extreme += std::abs(sum) >= std::abs(found) - 1e-9 ? 1 : 0;
  }
  EXPECT_DOUBLE_EQ(c.p, extreme / 512.0);
}

TEST(Statistics, RandomExchangesAgreeWithAllOfThem) {
  Random random(9);
  const std::vector<Term> a = clustered(random, 12, 20, 0.05), b = clustered(random, 12, 20);
  const Comparison all = compare(a, b, {.exchanges = 5000}), some = compare(a, b, {.exchanges = 4000});
  EXPECT_TRUE(all.exact);
  EXPECT_FALSE(some.exact);
  EXPECT_NEAR(some.p, all.p, 4 * std::sqrt(all.p * (1 - all.p) / 4000));
}

TEST(Statistics, ThePValueIsUniformWhereNothingDiffers) {
  Random random(10);
  for (const int worlds : {20, 4}) {
    constexpr int kRepeats = 500;
    int tenth = 0, half = 0;
    for (int i = 0; i < kRepeats; ++i) {
      std::vector<Term> a, b;
      for (int w = 0; w < worlds; ++w) {
        for (int e = 0; e < 15; ++e) a.push_back({w, random.normal()}), b.push_back({w, random.normal()});
      }
      const double p = compare(a, b, {.draws = 1, .exchanges = 200, .seed = random.bits()}).p;
      tenth += p <= 0.1 ? 1 : 0;
      half += p <= 0.5 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(tenth) / kRepeats, 0.1, 0.05) << worlds;
    EXPECT_NEAR(static_cast<double>(half) / kRepeats, 0.5, 0.08) << worlds;
  }
}

TEST(Statistics, NoPValueIsEverZero) {
  std::vector<Term> a, b;
  for (int w = 0; w < 64; ++w) a.push_back({w, 1}), b.push_back({w, 0});
  const Comparison c = compare(a, b, {.exchanges = 999});
  EXPECT_DOUBLE_EQ(c.p, 1.0 / 1000);
  EXPECT_DOUBLE_EQ(c.difference.mean, 1);
}

TEST(Statistics, AnAgentAgainstItselfDiffersByNothing) {
  Random random(11);
  const std::vector<Term> a = clustered(random, 20, 5);
  const Comparison c = compare(a, a);
  EXPECT_EQ(c.difference.mean, 0);
  EXPECT_EQ(c.difference.interval.low, 0);
  EXPECT_EQ(c.difference.interval.high, 0);
  EXPECT_EQ(c.ratio.mean, 1);
  EXPECT_EQ(c.p, 1);
}

TEST(Statistics, FewerWorldsThanEightAreTestedByEpisodes) {
  std::vector<Term> a, b;
  for (int e = 0; e < 100; ++e) a.push_back({e % 5, 1}), b.push_back({e % 5, e % 2 == 0 ? 1.0 : 0.0});
  const Comparison c = compare(a, b);
  EXPECT_FALSE(c.by_world);
  EXPECT_LT(c.p, 0.001);
}

TEST(Statistics, TheSameSeedGivesTheSameFigures) {
  Random random(12);
  const std::vector<Term> a = clustered(random, 20, 5), b = clustered(random, 20, 5);
  const Comparison one = compare(a, b, {.seed = 3}), two = compare(a, b, {.seed = 3});
  EXPECT_EQ(one.p, two.p);
  EXPECT_EQ(one.difference.interval.low, two.difference.interval.low);
}

// by hand: sorted .005·4, .01·3, .03·2 = .06, .04·1 → at least .06
TEST(Statistics, HolmIsAsComputedByHand) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005}, expected = {0.03, 0.06, 0.06, 0.02};
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(corrected[i], expected[i], 1e-15);
}

TEST(Statistics, HolmLeavesOutWhatWasNotTestedAndStopsAtOne) {
  const std::vector<double> corrected = holm(std::vector<double>{kNone, 0.7, 0.02});
  EXPECT_TRUE(std::isnan(corrected[0]));
  EXPECT_DOUBLE_EQ(corrected[1], 0.7);
  EXPECT_DOUBLE_EQ(corrected[2], 0.04);
  EXPECT_DOUBLE_EQ(holm(std::vector<double>{0.6, 0.7})[0], 1);
  EXPECT_TRUE(holm({}).empty());
}

TEST(Statistics, SeedsGiveStudentsInterval) {
  const Estimate e = over_seeds(std::vector<double>{1, 2, 3});
  EXPECT_DOUBLE_EQ(e.mean, 2);
  EXPECT_NEAR(e.interval.high, 2 + 4.3027 / std::sqrt(3.0), 1e-9);
  EXPECT_TRUE(std::isnan(over_seeds(std::vector<double>{1}).interval.low));
}

// tables of Student's t
TEST(Statistics, StudentsQuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(student_quantile(11), 2.2010, 2e-4);
  EXPECT_NEAR(student_quantile(30), 2.0423, 1e-4);
  EXPECT_NEAR(student_quantile(100'000), 1.9600, 1e-4);
}

}  // namespace
}  // namespace elastane::benchmark
