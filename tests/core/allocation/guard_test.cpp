// elastane/core/allocation/guard.h: the bounds hold over any sequence of losses, and the rule does what it says.
#include "elastane/core/allocation/guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

struct Losses {
  double frozen = 0, adapted = 0;
};

// Sequences of many kinds: levels that jump, heavy tails, and an adversary that sees who is heard and makes that one worse.
class Sequence {
 public:
  explicit Sequence(std::uint64_t seed) : random_(seed, 1), kind_(static_cast<int>(seed % 6)) {}

  Losses next(double spoken) {
    const bool adapted_heard = spoken > 0.5;
    if (random_.uniform() < 0.01) level_ = std::exp(random_.uniform(-3, 3)), tilt_ = std::exp(random_.uniform(-3, 3));
    const double a = squared(), b = squared(), worse = level_ * (1 + 20 * random_.uniform());
    switch (kind_) {
      case 0: return {level_ * a, level_ * b};                                   // equally good
      case 1: return {level_ * a, level_ * tilt_ * b};                           // one of them is better for a while
      case 2: return {level_ * a * a * a, level_ * tilt_ * b * b * b};           // heavy tails
      case 3: return adapted_heard ? Losses{0, worse} : Losses{worse, 0};        // the adversary
      case 4: return adapted_heard ? Losses{level_, worse} : Losses{level_, 0};  // lures, then punishes
      default: return {level_, level_ * (1 + (t_++ / 50 % 2 == 0 ? -0.5 : 5))};  // by turns
    }
  }

 private:
  double squared() { return std::pow(random_.normal(), 2); }

  Random random_;
  int kind_, t_ = 0;
  double level_ = 1, tilt_ = 1;
};

// what the theorem of docs/science.md §3.4 is heard of
struct Ledger {
  double excess = 0, largest_stretch = 0;  // of what is spoken over (1 + ε)·frozen: now, and over any stretch so far
  double total = 0, largest_total = 0;     // the same since the start
  double level = 0, worst = 0;             // the highest level, the largest excess of one step
  double regret = 0, slack = 0;            // against the adapted stream, outside debt, in units of 2s; and its bound
  double owed = 0, in_debt = 0,
         dearest = 0;  // frozen's loss in debt; times in debt; the largest loss of the frozen twin
};

Ledger play(const LossGuardOptions& options, std::uint64_t seed, int steps) {
  const Guard guard(options);
  GuardMemory memory;
  guard.reset(memory);
  Sequence sequence(seed);
  Ledger ledger;
  int stretches = 1;
  bool before = false;
  for (int t = 0; t < steps; ++t) {
    guard.decide(memory);
    const double w = memory.spoken, in_debt = memory.in_debt;
    const Losses l = sequence.next(w);
    if (memory.level > 0) ledger.level = std::max(ledger.level, memory.level);
    if (w > 0) ledger.worst = std::max(ledger.worst, l.adapted - l.frozen);
    const double excess = w * (l.adapted - l.frozen) - options.allowance * l.frozen;
    ledger.excess = std::max(0.0, ledger.excess + excess);
    ledger.largest_stretch = std::max(ledger.largest_stretch, ledger.excess);
    ledger.total += excess;
    ledger.largest_total = std::max(ledger.largest_total, ledger.total);
    ledger.dearest = std::max(ledger.dearest, l.frozen);
    if (in_debt != 0) ledger.owed += l.frozen;
    const double h = guard.handicap(memory);
    guard.judge(l.frozen, l.adapted, memory);
    if (in_debt == 0 && memory.level > 0) {
      const double e = std::clamp((l.frozen - l.adapted) / (2 * memory.level) - h, -options.cap, options.cap);
      ledger.regret += (1 - w) * (e + h);
      ledger.slack += (1 - w) * h;
      if (options.kind == GuardKind::mixture) {
        ledger.slack += options.rate * e * e / 8 - std::log(1 - options.share) / options.rate;
      }
    }
    if (before && memory.spoken <= 0.5) ++stretches;
    before = memory.spoken > 0.5;
    ledger.in_debt = memory.locked;
  }
  stretches += static_cast<int>(memory.switches + memory.locked);
  ledger.slack += stretches * (guard.floor() / options.rate + options.cap);
  return ledger;
}

TEST(Guard, SinceTheStartAndOverAnyStretchOfTimeItIsNotWorseThanFrozenBeyondItsBound) {
  for (const GuardKind kind : {GuardKind::switched, GuardKind::mixture}) {
    const LossGuardOptions options{.kind = kind};
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
      const Ledger made = play(options, seed, 400);
      const double bound = options.credit * made.level + made.worst;
      ASSERT_LE(made.largest_total, bound * (1 + 1e-9)) << name(kind) << ", sequence " << seed;
      ASSERT_LE(made.largest_stretch, (bound + 10 * options.earnings * made.level) * (1 + 1e-9))
          << name(kind) << ", sequence " << seed;
    }
  }
}

TEST(Guard, WithoutEarningsAStretchIsBoundedLikeTheWhole) {
  const LossGuardOptions options{.kind = GuardKind::switched, .earnings = 0};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Ledger made = play(options, seed, 400);
    ASSERT_LE(made.largest_stretch, (options.credit * made.level + made.worst) * (1 + 1e-9)) << seed;
  }
}

TEST(Guard, ItIsNotWorseThanTheAdaptedStreamBeyondItsBound) {
  for (const GuardKind kind : {GuardKind::switched, GuardKind::mixture}) {
    const LossGuardOptions options{.kind = kind};
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
      const Ledger made = play(options, seed, 400);
      ASSERT_LE(made.regret, made.slack * (1 + 1e-9)) << name(kind) << ", sequence " << seed;
      const double debt = (options.credit * made.level + made.worst) / options.allowance + made.dearest;
      ASSERT_LE(made.owed, made.in_debt * debt * (1 + 1e-9)) << name(kind) << ", sequence " << seed;
    }
  }
}

// so that the laws above are not met by always staying frozen
TEST(Guard, WithoutCreditAndAllowanceAnAdversaryBreaksTheBound) {
  const LossGuardOptions careless{.kind = GuardKind::switched, .credit = 1e9};
  const Ledger made = play(careless, 4, 4000);
  const LossGuardOptions usual{.kind = GuardKind::switched};
  EXPECT_GT(made.largest_total, usual.credit * made.level + made.worst);
}

int steps_until(const Guard& guard, GuardMemory& memory, const Losses& losses, bool adapted, int most) {
  for (int t = 0; t < most; ++t) {
    guard.decide(memory);
    if ((memory.spoken > 0.5) == adapted) return t;
    guard.judge(losses.frozen, losses.adapted, memory);
  }
  return most;
}

TEST(Guard, SwitchesSoonWhenOneOfThemIsClearlyBetterAndForgetsOldEvidence) {
  const Guard guard({.kind = GuardKind::switched});
  GuardMemory memory;
  guard.reset(memory);
  EXPECT_EQ(steps_until(guard, memory, {1, 1}, true, 500), 500) << "equally good: the frozen twin is heard";
  EXPECT_LE(steps_until(guard, memory, {50, 1}, true, 500), 3);
  EXPECT_EQ(steps_until(guard, memory, {50, 1}, false, 5000), 5000);
  EXPECT_LE(steps_until(guard, memory, {1, 50}, false, 500), 3) << "however long it was better before";
}

// A changed world has quiet hours, in which both are equally good and the handicap counts against the adapted stream.
TEST(Guard, AStreamThatHasEarnedItIsHeardThroughAQuietHour) {
  const Guard patient({.kind = GuardKind::switched}), hasty({.kind = GuardKind::switched, .patience = 0});
  int heard[2] = {0, 0};
  for (const Guard* guard : {&patient, &hasty}) {
    GuardMemory memory;
    guard->reset(memory);
    for (int t = 0; t < 4000; ++t) guard->decide(memory), guard->judge(1, 1, memory);
    for (int t = 0; t < 100; ++t) guard->decide(memory), guard->judge(20, 1, memory);
    heard[guard == &hasty] = steps_until(*guard, memory, {1, 1}, false, 1000);
  }
  EXPECT_GT(heard[0], 75);
  EXPECT_LT(heard[0], 200) << "but not for ever";
  EXPECT_LT(heard[1], 55);
}

// A single bad step does not silence a stream that was much better before, and what was earned long ago does not count.
TEST(Guard, WhatWasEarnedPaysForOneBadStepAndIsForgotten) {
  const Guard guard({.kind = GuardKind::switched}), strict({.kind = GuardKind::switched, .earnings = 0});
  for (const Guard* each : {&guard, &strict}) {
    GuardMemory memory;
    each->reset(memory);
    for (int t = 0; t < 500; ++t) each->decide(memory), each->judge(20, 1, memory);
    each->decide(memory), each->judge(20, 220, memory);  // worse by twice its credit
    EXPECT_EQ(memory.in_debt != 0, each == &strict);
    each->decide(memory), each->judge(20, 1020, memory);  // a transient: by ten times its credit
    EXPECT_EQ(memory.in_debt != 0, each == &strict);
  }
  GuardMemory memory;
  guard.reset(memory);
  for (int t = 0; t < 500; ++t) guard.decide(memory), guard.judge(20, 1, memory);
  EXPECT_LT(memory.debt, -100);
  for (int t = 0; t < 3000; ++t) guard.decide(memory), guard.judge(1, 1, memory);
  EXPECT_GT(memory.debt, -0.1);
}

TEST(Guard, SaysWhoSpeaksAndWhy) {
  const Guard guard({.kind = GuardKind::switched, .credit = 1, .earnings = 0});
  GuardMemory memory;
  guard.reset(memory);
  guard.decide(memory);
  EXPECT_EQ(guard.report(memory).speaker, Speaker::frozen);
  EXPECT_EQ(guard.report(memory).reason, SpeakerReason::start);
  steps_until(guard, memory, {5, 1}, true, 100);
  const GuardReport better = guard.judge(5, 1, memory);
  EXPECT_EQ(better.speaker, Speaker::adapted);
  EXPECT_EQ(better.reason, SpeakerReason::evidence);
  EXPECT_EQ(better.weight, 1);
  EXPECT_EQ(better.frozen_loss, 5);
  guard.decide(memory);
  guard.judge(1, 5, memory);  // worse by more than its credit at once
  guard.decide(memory);
  EXPECT_EQ(guard.report(memory).speaker, Speaker::frozen);
  EXPECT_EQ(guard.report(memory).reason, SpeakerReason::debt);
}

TEST(Guard, CountsAStepOnceAndSurvivesLossesThatAreNotNumbers) {
  const Guard guard({.kind = GuardKind::mixture});
  GuardMemory memory;
  guard.reset(memory);
  for (int t = 0; t < 300; ++t) {
    guard.decide(memory);
    guard.judge(t % 7 == 3 ? std::numeric_limits<double>::quiet_NaN() : 1.0, t % 5 == 1 ? 1e300 : 2.0, memory);
    const GuardMemory once = memory;
    guard.judge(1, 0, memory);
    ASSERT_EQ(once.odds, memory.odds);
    for (const double value : {memory.odds, memory.debt, memory.level, memory.spoken})
      ASSERT_TRUE(std::isfinite(value));
  }
}

TEST(Guard, RefusesOptionsThatMeanNothing) {
  EXPECT_TRUE(validate(LossGuardOptions{}));
  EXPECT_FALSE(validate(LossGuardOptions{.allowance = -1}));
  EXPECT_FALSE(validate(LossGuardOptions{.credit = std::nan("")}));
  EXPECT_FALSE(validate(LossGuardOptions{.earnings = -1}));
  EXPECT_FALSE(validate(LossGuardOptions{.handicap = -0.1}));
  EXPECT_FALSE(validate(LossGuardOptions{.patience = 1000}));
  EXPECT_FALSE(validate(LossGuardOptions{.rate = 0}));
  EXPECT_FALSE(validate(LossGuardOptions{.cap = 0}));
  EXPECT_FALSE(validate(LossGuardOptions{.share = 1}));
}

TEST(Guard, EveryNameIsDifferent) {
  EXPECT_EQ(name(GuardKind::switched), "switch");
  EXPECT_EQ(name(Speaker::both), "both");
  EXPECT_EQ(name(SpeakerReason::debt), "debt");
}

}  // namespace
}  // namespace elastane
