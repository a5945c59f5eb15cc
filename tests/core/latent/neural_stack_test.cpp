// Tests of elastane/core/latent/neural_stack.cpp: law G1 on decoders of every kind, agreement with the stream, commit.
#include "elastane/core/latent/neural_stack.h"

#include <gtest/gtest.h>

#include "tests/core/stacks.h"

namespace elastane {
namespace {

class StackOf : public testing::TestWithParam<StackCase> {
 protected:
  const StackCase& of = GetParam();
  const Model model = model_of(of.config);
  const Stream stream = stream_after(model);
  Random random{static_cast<std::uint64_t>(3)};

  // a point away from the state's own latents
  template <class T>
  Vector point(const BoundStack<T>& bound) {
    return moved(bound.latents(), 0.3, random_vector(random, bound.stack.latents()));
  }
};

INSTANTIATE_TEST_SUITE_P(Case, StackOf, testing::ValuesIn(stack_cases()),
                         [](const auto& test) { return test.param.name; });

// --- laws, in double

TEST_P(StackOf, JvpAndVjpAreAdjoint) {
  BoundStack<double> bound(stream, of.options);
  bound.linearise(point(bound));
  for (int i = 0; i < 5; ++i) {
    const Vector q = random_vector(random, bound.stack.latents()), w = random_vector(random, bound.stack.outputs());
    const Vector jq = bound.jvp(q), jtw = bound.vjp(w);
    const double scale = length(jq) * length(w) + length(q) * length(jtw);
    EXPECT_LE(std::fabs(inner(jq, w) - inner(q, jtw)), 1e-12 * scale);
  }
}

TEST_P(StackOf, RowsOfTheJacobianAreAdjointsOfUnitVectors) {
  StackOptions few = of.options;
  few.max_directions = 3;
  BoundStack<float> fast(stream, few);
  BoundStack<double> oracle(stream, few);
  const int d = fast.stack.latents(), m = fast.stack.outputs();
  const auto expect_rows = [&](auto& bound, double tolerance) {
    Vector units(static_cast<std::size_t>(m * m)), rows(static_cast<std::size_t>(m * d));
    for (int i = 0; i < m; ++i) units[static_cast<std::size_t>(i * m + i)] = 1;
    bound.stack.jacobian({units.data(), m, m}, {rows.data(), m, d});
    for (int i = 0; i < m; ++i) {
      const Vector row = bound.vjp(Vector(units.begin() + i * m, units.begin() + (i + 1) * m));
      EXPECT_LE(distance(row, Vector(rows.begin() + i * d, rows.begin() + (i + 1) * d)), tolerance * length(row)) << i;
    }
  };
  const Vector z = point(fast);
  fast.linearise(z);
  oracle.linearise(z);
  expect_rows(fast, 1e-6);
  expect_rows(oracle, 1e-14);
}

TEST_P(StackOf, JvpEqualsCentralDifferences) {
  BoundStack<double> bound(stream, of.options);
  const Vector z = point(bound);
  bound.linearise(z);
  const double h = 1e-5;
  for (int i = 0; i < 5; ++i) {
    const Vector q = random_vector(random, bound.stack.latents()), jq = bound.jvp(q);
    const Vector up = bound.output(moved(z, h, q)), down = bound.output(moved(z, -h, q));
    for (std::size_t j = 0; j < jq.size(); ++j) {
      EXPECT_NEAR(jq[j], (up[j] - down[j]) / (2 * h), 1e-6 * (1 + length(jq)));
    }
  }
}

TEST_P(StackOf, SecondEqualsCentralDifferencesOfJvp) {
  BoundStack<double> bound(stream, of.options);
  const Vector z = point(bound);
  const double h = 1e-4;
  for (int i = 0; i < 5; ++i) {
    const Vector q = random_vector(random, bound.stack.latents());
    bound.linearise(moved(z, h, q));
    const Vector up = bound.jvp(q);
    bound.linearise(moved(z, -h, q));
    const Vector down = bound.jvp(q);
    bound.linearise(z);
    const Vector d2 = bound.second(q);
    for (std::size_t j = 0; j < d2.size(); ++j) {
      EXPECT_NEAR(d2[j], (up[j] - down[j]) / (2 * h), 1e-5 * (1 + length(d2)));
    }
  }
}

TEST_P(StackOf, ColumnsTogetherEqualColumnsOneByOne) {
  StackOptions few = of.options;
  few.max_directions = 3;
  BoundStack<float> bound(stream, few);
  bound.linearise(point(bound));
  constexpr int kColumns = 8;
  const int d = bound.stack.latents(), m = bound.stack.outputs();
  const Vector q = random_vector(random, kColumns * d), w = random_vector(random, kColumns * m);
  Vector jq(static_cast<std::size_t>(kColumns * m)), jtw(static_cast<std::size_t>(kColumns * d));
  bound.stack.jvp({q.data(), kColumns, d}, {jq.data(), kColumns, m});
  bound.stack.vjp({w.data(), kColumns, m}, {jtw.data(), kColumns, d});
  for (int r = 0; r < kColumns; ++r) {
    EXPECT_EQ(bound.jvp(Vector(q.begin() + r * d, q.begin() + (r + 1) * d)),
              Vector(jq.begin() + r * m, jq.begin() + (r + 1) * m));
    EXPECT_EQ(bound.vjp(Vector(w.begin() + r * m, w.begin() + (r + 1) * m)),
              Vector(jtw.begin() + r * d, jtw.begin() + (r + 1) * d));
  }
}

TEST_P(StackOf, FloatAgreesWithDouble) {
  BoundStack<float> fast(stream, of.options);
  BoundStack<double> oracle(stream, of.options);
  const Vector z = point(fast);
  ASSERT_EQ(fast.latents(), oracle.latents());
  const auto expect_close = [](const Vector& a, const Vector& b) { EXPECT_LE(distance(a, b), 2e-5 * (1 + length(b))); };
  expect_close(fast.linearise(z), oracle.linearise(z));
  expect_close(fast.output(z), oracle.output(z));
  const Vector q = random_vector(random, fast.stack.latents()), w = random_vector(random, fast.stack.outputs());
  expect_close(fast.jvp(q), oracle.jvp(q));
  expect_close(fast.vjp(w), oracle.vjp(w));
  expect_close(fast.second(q), oracle.second(q));
}

TEST_P(StackOf, OutputLeavesThePoint) {
  BoundStack<float> bound(stream, of.options);
  bound.linearise(point(bound));
  const Vector q = random_vector(random, bound.stack.latents()), before = bound.jvp(q);
  bound.output(point(bound));
  EXPECT_EQ(bound.jvp(q), before);
}

TEST_P(StackOf, ACopyBoundAgainIsAStackOfItsOwn) {
  BoundStack<float> bound(stream, of.options);
  const Vector z = point(bound), q = random_vector(random, bound.stack.latents());
  bound.linearise(z);
  BoundStack<float> other(stream, of.options);
  other.stack = bound.stack;
  other.stack.bind(other.state.data(), other.input);
  other.linearise(z);
  bound.linearise(point(bound));
  bound.stack.commit(point(bound));
  EXPECT_EQ(&other.stack.description(), &bound.stack.description()) << "programs are shared";
  BoundStack<float> fresh(stream, of.options);
  fresh.linearise(z);
  EXPECT_EQ(other.jvp(q), fresh.jvp(q));
  EXPECT_EQ(other.output(q), fresh.output(q));
}

// what is not finite must not stay behind in a tape
TEST_P(StackOf, ADirectionThatIsNotFiniteIsForgotten) {
  BoundStack<float> bound(stream, of.options);
  const Vector z = point(bound), y = bound.linearise(z);
  const Vector q = random_vector(random, bound.stack.latents()), w = random_vector(random, bound.stack.outputs());
  const Vector jq = bound.jvp(q), jtw = bound.vjp(w), d2 = bound.second(q);
  const Vector bad_q(q.size(), std::nan("")), bad_w(w.size(), HUGE_VAL);
  bound.jvp(bad_q), bound.vjp(bad_w), bound.second(bad_q), bound.output(bad_q), bound.linearise(bad_q);
  EXPECT_EQ(bound.linearise(z), y);
  EXPECT_EQ(bound.jvp(q), jq);
  bound.jvp(bad_q);
  EXPECT_EQ(bound.vjp(w), jtw);
  bound.vjp(bad_w);
  EXPECT_EQ(bound.second(q), d2);
}

// --- the stream's own numbers

TEST_P(StackOf, OutputAtTheStatesOwnLatentsEqualsTheStreams) {
  BoundStack<float> bound(stream, of.options);
  const Vector y = bound.output(bound.latents());
  for (std::size_t j = 0; j < y.size(); ++j) EXPECT_NEAR(y[j], stream.output()[j], 2e-6 * (1 + std::fabs(y[j])));
}

TEST_P(StackOf, LatentsAreTheStatesWithoutPadding) {
  BoundStack<float> bound(stream, of.options);
  int expected = 0;
  for (const BlockConfig& block : of.config.blocks) {
    const int width = of.config.width;
    int own = 0;
    if (const auto* s = std::get_if<S4dConfig>(&block.kind)) own = width * s->state;
    if (const auto* m = std::get_if<MambaConfig>(&block.kind)) own = m->expand * width * m->state;
    if (const auto* g = std::get_if<GruConfig>(&block.kind)) own = g->hidden > 0 ? g->hidden : width;
    if (const auto* l = std::get_if<LstmConfig>(&block.kind)) own = 2 * (l->hidden > 0 ? l->hidden : width);
    if (const auto* z = std::get_if<SelectiveConfig>(&block.kind)) own = z->hidden > 0 ? z->hidden : width;
    expected = of.options.top_block_only && own > 0 ? own : expected + own;
  }
  EXPECT_EQ(bound.stack.latents(), expected + bound.stack.description().persistent);
}

TEST_P(StackOf, CommitAtUnchangedLatentsLeavesThem) {
  BoundStack<float> bound(stream, of.options);
  const Vector z = bound.latents();
  bound.stack.commit(z);
  EXPECT_EQ(bound.latents(), z);
  // everything else stays to rounding
  const StateLayout& layout = model.network().layout;
  for (std::size_t at = layout.encoded; at < layout.size; at += sizeof(float)) {
    float before, after;
    std::memcpy(&before, stream.state().data() + at, sizeof(float));
    std::memcpy(&after, bound.state.data() + at, sizeof(float));
    ASSERT_NEAR(before, after, 1e-5 * (1 + std::fabs(before))) << "byte " << at;
  }
}

TEST_P(StackOf, CommitWritesWhatItWasGivenAndOnlyWhatIsAdmissible) {
  BoundStack<float> bound(stream, of.options);
  Vector z = point(bound);
  for (double& value : z) value = static_cast<float>(value);
  const std::size_t stored = z.size() - static_cast<std::size_t>(bound.stack.description().persistent);
  if (stored > 2) z[0] = std::nan(""), z[1] = 1e30, z[2] = -HUGE_VAL;
  bound.stack.commit(z);
  const Vector found = bound.latents();
  for (std::size_t i = 0; i < stored; ++i) EXPECT_EQ(found[i], i < 3 ? 0.0 : z[i]);
  EXPECT_TRUE(is_sound(model.network(), {bound.state.data(), model.state_bytes()}));
}

}  // namespace
}  // namespace elastane
