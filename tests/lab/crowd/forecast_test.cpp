// lab/crowd/forecast.h: goals are inferred from motion, and people are where they were predicted.
#include "lab/crowd/forecast.h"

#include <gtest/gtest.h>

#include "lab/crowd/environment.h"

namespace elastane::crowd {
namespace {

// people of a episode as they walk, step by step
std::vector<std::vector<MovingDisc>> walk(const Episode& episode, int steps) {
  Walkers walkers(episode.people.size());
  std::vector<std::vector<MovingDisc>> seen(1);
  std::vector<Vec2> goals;
  for (const Walk& person : episode.people) {
    seen[0].push_back({person.start, {}, kRadius});
    goals.push_back(person.goal);
  }
  for (int t = 0; t < steps; ++t) {
    seen.push_back(seen.back());
    walkers.advance(seen[static_cast<std::size_t>(t)], goals, seen.back());
  }
  return seen;
}

TEST(Forecast, APersonAloneIsPredictedAfterOneStep) {
  const Episode episode{{{{-4, 0}, {4, 0}}}};
  const auto seen = walk(episode, 40);
  Forecast forecast({.steps = 20, .trip = 8}, 1);
  forecast.observe(seen[0]);
  forecast.observe(seen[1]);
  for (int h = 0; h <= 20; ++h) {
    EXPECT_LT(norm(forecast.at(h, 0).position - seen[static_cast<std::size_t>(1 + h)][0].position), 1e-9);
  }
}

TEST(Forecast, APersonThatSlowsDownRevealsItsGoal) {
  const Episode episode{{{{-1.5, 0}, {1, 0.3}}}};  // a trip much shorter than the usual one
  const auto seen = walk(episode, 40);
  Forecast forecast({.steps = 20}, 1);
  for (int t = 0; t <= 10; ++t) forecast.observe(seen[static_cast<std::size_t>(t)]);
  EXPECT_LT(norm(forecast.goal(0) - episode.people[0].goal), 0.01);
}

TEST(Forecast, InACrowdItIsFarBetterThanConstantVelocities) {
  double guessed = 0, lasting = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto seen = walk(draw_episode(seed), 40);
    Forecast ours({.steps = 8}, 5), plain({.steps = 8, .reciprocal = false}, 5);
    for (std::size_t t = 0; t <= 30; ++t) {
      ours.observe(seen[t]), plain.observe(seen[t]);
      if (t < 2) continue;
      for (std::size_t i = 0; i < 5; ++i) {
        guessed += norm(ours.at(8, i).position - seen[t + 8][i].position);
        lasting += norm(plain.at(8, i).position - seen[t + 8][i].position);
      }
    }
  }
  EXPECT_LT(guessed, 0.4 * lasting);
}

TEST(Forecast, AfterAResetItIsAsNew) {
  const auto before = walk(draw_episode(1), 10), after = walk(draw_episode(2), 10);
  Forecast used({}, 5), fresh({}, 5);
  for (const auto& people : before) used.observe(people);
  used.reset();
  for (const auto& people : after) used.observe(people), fresh.observe(people);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(used.at(20, i).position, fresh.at(20, i).position);
}

}  // namespace
}  // namespace elastane::crowd
