// Tests of elastane/core/backbone/associative_memory.cpp: the laws of a memory that is written by keys.
#include "elastane/core/backbone/associative_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "elastane/core/math/reference.h"
#include "tests/core/backbone/plain_memory.h"

namespace elastane {
namespace {

using Vector = std::vector<float>;

AssociativeMemory eager(AssociativeMemory with) {
  with.gate = {.policy = WritePolicy::surprise, .threshold = 0};
  return with;
}
AssociativeMemory squares(int keys, int values, double noise = 1e-3) {
  return {.keys = keys, .values = values, .rule = WriteRule::least_squares, .noise = noise};
}

// pairs of unit keys and values of ±1
struct Pairs {
  Pairs(int count, int keys, int values, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
      key.push_back(unit_vector(random, keys));
      value.emplace_back(static_cast<std::size_t>(values));
      for (float& v : value.back()) v = static_cast<float>(random.sign());
    }
  }
  std::vector<Vector> key, value;
};

// P as a square, from the packed triangle of the only head
std::vector<double> spread_of(const PlainMemory& m) {
  const int n = m.memory.keys;
  std::vector<double> p(static_cast<std::size_t>(n * n));
  const float* at = m.store.data() + m.memory.matrix_floats();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j, ++at)
      p[static_cast<std::size_t>(i * n + j)] = p[static_cast<std::size_t>(j * n + i)] = *at;
  }
  return p;
}
double along(const std::vector<double>& p, const Vector& k) {
  double sum = 0;
  for (std::size_t i = 0; i < k.size(); ++i) {
    for (std::size_t j = 0; j < k.size(); ++j) sum += p[i * k.size() + j] * k[i] * k[j];
  }
  return sum;
}
bool is_positive(std::vector<double> p, int n) { return reference::cholesky(p.data(), n, n); }

TEST(AssociativeMemory, OneWriteShrinksTheResidualToOneMinusBetaOfIt) {
  const Pairs pairs(6, 12, 7, 1);
  for (const double beta : {0.0, 0.3, 0.7, 1.0}) {
    PlainMemory m(eager({.keys = 12, .values = 7}));
    for (int i = 0; i < 5; ++i) m.step(pairs.key[i], pairs.value[i], 0.8);
    const double before = distance(m.ask(pairs.key[5]), pairs.value[5]);
    m.step(pairs.key[5], pairs.value[5], beta);
    EXPECT_NEAR(distance(m.ask(pairs.key[5]), pairs.value[5]), (1 - beta) * before, 1e-5);
  }
}

TEST(AssociativeMemory, OrthonormalKeysAreRecalledExactly) {
  for (const AssociativeMemory& kind : {AssociativeMemory{.keys = 9, .values = 20}, squares(9, 20, 1e-6)}) {
    PlainMemory m(kind);
    const Pairs pairs(9, 9, 20, 2);
    for (int i = 0; i < 9; ++i) {
      Vector key(9);
      key[static_cast<std::size_t>(i)] = 1;
      m.step(key, pairs.value[i]);
    }
    for (int i = 0; i < 9; ++i) {
      Vector key(9);
      key[static_cast<std::size_t>(i)] = 1;
      EXPECT_LE(distance(m.ask(key), pairs.value[i]), 2e-5);
    }
  }
}

TEST(AssociativeMemory, AWriteLaterIsTheSameAsNow) {
  for (const AssociativeMemory& kind : {AssociativeMemory{.keys = 17, .values = 33},
                                        AssociativeMemory{.heads = 2, .keys = 16, .values = 16}, squares(17, 33)}) {
    PlainMemory later(kind), now(eager(kind));
    const int keys = kind.heads * kind.keys, values = kind.heads * kind.values;
    const Pairs pairs(50, keys, values, 3);
    for (int i = 0; i < 50; ++i) {
      const Vector& query = pairs.key[static_cast<std::size_t>(i / 2)];
      later.step(pairs.key[i], query, pairs.value[i], 0.6, 0.97);
      now.step(pairs.key[i], query, pairs.value[i], 0.6, 0.97);
      EXPECT_LE(distance(later.answer(), now.answer()), 1e-5 * std::sqrt(values)) << i;
    }
  }
}

TEST(AssociativeMemory, LeastSquaresDoesNotDependOnTheOrderAndTheDeltaRuleDoes) {
  for (const bool is_squares : {true, false}) {
    const AssociativeMemory kind = is_squares ? squares(12, 5, 0.1) : AssociativeMemory{.keys = 12, .values = 5};
    PlainMemory forth(kind), back(kind);
    const Pairs pairs(30, 12, 5, 4);
    for (int i = 0; i < 30; ++i) {
      forth.step(pairs.key[i], pairs.value[i]);
      back.step(pairs.key[29 - i], pairs.value[29 - i]);
    }
    double apart = 0;
    for (int i = 0; i < 30; ++i) apart = std::max(apart, distance(forth.ask(pairs.key[i]), back.ask(pairs.key[i])));
    EXPECT_TRUE(is_squares ? apart <= 2e-4 : apart >= 0.1) << apart;
  }
}

TEST(AssociativeMemory, InflationMakesRoomAlongTheKeyAndKeepsTheSpreadPositive) {
  AssociativeMemory kind = squares(10, 8, 0.05);
  kind.inflate = 3;
  PlainMemory m(kind);
  const Pairs pairs(8, 10, 8, 5);
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 8; ++i) m.step(pairs.key[i], pairs.value[i]);
  }
  const Vector& key = pairs.key[3];
  const double known = along(spread_of(m), key);
  EXPECT_LT(known, 0.02);
  // the same value again tells nothing new; the opposite one does: kᵀPk goes to 1, and one write later to R/(R + 1)
  m.step(key, pairs.value[3]);
  EXPECT_LE(along(spread_of(m), key), known);
  Vector opposite = pairs.value[3];
  for (float& v : opposite) v = -v;
  m.step(key, opposite);
  EXPECT_NEAR(along(spread_of(m), key), 0.05 / 1.05, 1e-3);
  EXPECT_TRUE(is_positive(spread_of(m), 10));
  EXPECT_LE(distance(m.ask(key), opposite), 0.3);
}

TEST(AssociativeMemory, WithoutInflationANewValueIsAveragedAway) {
  const Pairs pairs(1, 10, 8, 6);
  Vector opposite = pairs.value[0];
  for (float& v : opposite) v = -v;
  for (const double inflate : {0.0, 3.0}) {
    AssociativeMemory kind = squares(10, 8, 0.05);
    kind.inflate = inflate;
    PlainMemory m(kind);
    for (int i = 0; i < 9; ++i) m.step(pairs.key[0], pairs.value[0]);
    m.step(pairs.key[0], opposite);
    const bool is_new = distance(m.ask(pairs.key[0]), opposite) < distance(m.ask(pairs.key[0]), pairs.value[0]);
    EXPECT_EQ(is_new, inflate > 0);
  }
}

TEST(AssociativeMemory, DecayHasItsHalfLife) {
  PlainMemory m({.keys = 4, .values = 4});
  const Vector key = {1, 0, 0, 0}, value = {1, -1, 2, 0.5F}, nothing(4);
  m.step(key, value);
  const double alpha = 0.99, half = std::log(0.5) / std::log(alpha);
  for (int t = 0; t < static_cast<int>(std::lround(half)); ++t) m.step(nothing, key, nothing, 0, alpha);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(m.answer()[i], 0.5 * value[i], 0.01);
}

TEST(AssociativeMemory, AClosedGateChangesNoByte) {
  for (const WritePolicy policy : {WritePolicy::surprise, WritePolicy::budget, WritePolicy::seen_twice}) {
    for (AssociativeMemory kind : {AssociativeMemory{.keys = 16, .values = 24}, squares(16, 24)}) {
      kind.gate = {.policy = policy, .threshold = 0.5, .share = 0.2, .burst = 3, .sightings = 8};
      PlainMemory m(kind);
      const Pairs pairs(12, 16, 24, 7);
      Random random(8);
      int wrote = 0, closed = 0;
      for (int t = 0; t < 400; ++t) {
        const int i = random.below(12);
        const Floats before = m.store;
        const MemoryReport report = m.step(pairs.key[i], pairs.value[i], 0.9);
        if (report.wrote) {
          ++wrote;
          EXPECT_GT(report.surprise, 0.5);
        } else {
          ++closed;
          ASSERT_TRUE(same_bits(before, m.store, before.size())) << t;
        }
      }
      EXPECT_GT(wrote, 5);
      EXPECT_GT(closed, 100);
    }
  }
}

TEST(AssociativeMemory, AMillionStepsKeepTheSpreadPositiveAndFinite) {
  AssociativeMemory kind = squares(8, 4, 0.05);
  kind.relax = 1e-3;
  kind.inflate = 4;
  PlainMemory m(kind);
  Random random(9);
  const Pairs pairs(6, 8, 4, 10);
  std::vector<Vector> value = pairs.value;
  for (int t = 0; t < 1'000'000; ++t) {
    const auto i = static_cast<std::size_t>(random.below(6));
    if (random.below(500) == 0) {
      for (float& v : value[i]) v = -v;
    }
    m.step(pairs.key[i], value[i]);
  }
  EXPECT_TRUE(is_positive(spread_of(m), 8));
  for (const double p : spread_of(m)) EXPECT_LE(std::fabs(p), 1.001);
  // most was just written, and all is remembered
  for (std::size_t i = 0; i < 6; ++i) EXPECT_LE(distance(m.ask(pairs.key[i]), value[i]), 0.5);
}

TEST(AssociativeMemory, KeysOfZerosAndValuesThatAreNotFiniteDoNoHarm) {
  for (const AssociativeMemory& kind :
       {AssociativeMemory{.keys = 6, .values = 5}, eager({.keys = 6, .values = 5}), squares(6, 5)}) {
    PlainMemory m(kind);
    const Pairs pairs(3, 6, 5, 11);
    for (int i = 0; i < 3; ++i) m.step(pairs.key[i], pairs.value[i]);
    const Vector known = m.ask(pairs.key[0]);
    m.step(Vector(6), pairs.value[1]);
    EXPECT_LE(distance(m.ask(pairs.key[0]), known), 1e-6) << "a key of zeros writes nothing";
    const Vector bad = {NAN, INFINITY, -INFINITY, 1e30F, 1};
    const MemoryReport report = m.step(pairs.key[1], bad);
    EXPECT_TRUE(std::isfinite(report.surprise));
    m.step(Vector(6), Vector(5));
    EXPECT_EQ(m.step(Vector(6), Vector(5)).surprise, 0) << "nothing is known about nothing";
    for (int i = 0; i < m.store.size(); ++i) ASSERT_TRUE(std::isfinite(m.store[i]));
  }
}

}  // namespace
}  // namespace elastane
