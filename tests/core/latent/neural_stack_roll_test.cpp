// Tests of elastane/core/latent/neural_stack_roll.cpp: frozen steps ahead and the last step, against streams and differences.
#include <gtest/gtest.h>

#include "elastane/core/network/network.h"
#include "elastane/core/network/step.h"
#include "tests/core/stacks.h"

namespace elastane {
namespace {

constexpr int kAhead = 7;  // more than the shortest window

class RollOf : public testing::TestWithParam<StackCase> {
 protected:
  RollOf() { options.max_horizon = kAhead; }

  StackCase of = GetParam();
  StackOptions options = of.options;
  const Model model = model_of(of.config);
  const Stream stream = stream_after(model);
  Random random{static_cast<std::uint64_t>(4)};

  template <class T>
  Vector point(const BoundStack<T>& bound, double away = 0.3) {
    return moved(bound.latents(), away, random_vector(random, bound.stack.latents()));
  }
  // persistent coordinates that do something
  Vector some_persistent() { return random_vector(random, 200, 0.1); }
};

INSTANTIATE_TEST_SUITE_P(Case, RollOf, testing::ValuesIn(stack_cases()),
                         [](const auto& test) { return test.param.name; });

// --- steps ahead

TEST_P(RollOf, RollingFromThePointAndFromAnywhereAreTheSame) {
  BoundStack<float> bound(stream, options, kStepDt, some_persistent());
  const Vector z = point(bound);
  bound.linearise(z);
  const int m = bound.stack.outputs();
  Vector y(static_cast<std::size_t>(kAhead * m));
  bound.stack.roll_point({y.data(), kAhead, m});
  bound.output(point(bound));
  EXPECT_EQ(bound.roll(z, kAhead), y);
  EXPECT_EQ(bound.roll(z, 2), Vector(y.begin(), y.begin() + 2 * m)) << "fewer steps are the first of more";
}

// streams without a running normaliser, which would see the held input as a new one: young ones and older ones
struct Held {
  int steps;
  float dt;
};
constexpr Held kHeld[] = {{1, 1}, {3, 0.7F}, {kSteps, 1}, {kSteps, 0.7F}, {kSteps, 0}};

TEST_P(RollOf, RollEqualsAdvancingWithTheInputHeld) {
  of.config.normaliser = {};
  const Model plain = model_of(of.config);
  for (const auto& [steps, dt] : kHeld) {
    Stream ahead = stream_after(plain, steps, dt);
    BoundStack<float> bound(ahead, options, dt);
    const Vector y = bound.roll(bound.latents(), kAhead);
    for (int h = 0; h < kAhead; ++h) {
      ahead.advance(whole_input(plain.inputs(), steps - 1), dt);
      for (int j = 0; j < plain.outputs(); ++j) {
        const double expected = ahead.output()[static_cast<std::size_t>(j)];
        ASSERT_NEAR(y[static_cast<std::size_t>(h * plain.outputs() + j)], expected, 2e-5 * (1 + std::fabs(expected)))
            << h + 1 << " steps ahead of " << steps << ", dt " << dt;
      }
    }
  }
}

TEST_P(RollOf, AdvancingFromACommittedStateIsTheRollFromThere) {
  of.config.normaliser = {};
  const Model plain = model_of(of.config);
  for (const auto& [steps, dt] : kHeld) {
    BoundStack<float> bound(stream_after(plain, steps, dt), options, dt);
    Vector z = point(bound);
    for (std::size_t i = z.size() - bound.persistent.size(); i < z.size(); ++i) z[i] = 0;  // streams know nothing of c
    const Vector y = bound.roll(z, kAhead);
    bound.stack.commit(z);

    Workspace workspace(plain.network(), 1);
    const std::vector<float> x = whole_input(plain.inputs(), steps - 1);
    const Sample sample{x, {}, dt};
    std::byte* state = bound.state.data();
    for (int h = 0; h < kAhead; ++h) {
      AdvanceReport report = begin_report(workspace);
      advance(plain.network(), {&sample, 1}, &state, true, workspace, report);
      for (int j = 0; j < plain.outputs(); ++j) {
        const double expected = workspace.output[0][j];
        ASSERT_NEAR(y[static_cast<std::size_t>(h * plain.outputs() + j)], expected, 5e-5 * (1 + std::fabs(expected)))
            << h + 1 << " steps ahead of " << steps << ", dt " << dt;
      }
    }
  }
}

TEST_P(RollOf, RollLeavesTheStateAlone) {
  BoundStack<float> bound(stream, options);
  const Vector z = point(bound);
  bound.linearise(z);
  bound.roll(z, kAhead);
  Vector y(static_cast<std::size_t>(kAhead * bound.stack.outputs()));
  bound.stack.roll_point({y.data(), kAhead, bound.stack.outputs()});
  bound.stack.roll_tangent(z, {y.data(), kAhead, bound.stack.outputs()});
  EXPECT_EQ(std::memcmp(bound.state.data(), stream.state().data(), stream.state().size()), 0);
}

TEST_P(RollOf, RollTangentEqualsCentralDifferences) {
  BoundStack<double> bound(stream, options, kStepDt, some_persistent());
  const Vector z = point(bound);
  bound.linearise(z);
  const int m = bound.stack.outputs();
  const double h = 1e-5;
  Vector y(static_cast<std::size_t>(kAhead * m)), dy(y.size());
  bound.stack.roll_point({y.data(), kAhead, m});
  for (int i = 0; i < 3; ++i) {
    const Vector v = random_vector(random, bound.stack.latents());
    bound.stack.roll_tangent(v, {dy.data(), kAhead, m});
    const Vector up = bound.roll(moved(z, h, v), kAhead), down = bound.roll(moved(z, -h, v), kAhead);
    for (std::size_t j = 0; j < dy.size(); ++j) {
      EXPECT_NEAR(dy[j], (up[j] - down[j]) / (2 * h), 1e-6 * (1 + length(dy)))
          << "output " << j % m << ", step " << j / m;
    }
  }
}

TEST_P(RollOf, RollsInFloatAgreeWithDouble) {
  const Vector c = some_persistent();
  BoundStack<float> fast(stream, options, kStepDt, c);
  BoundStack<double> oracle(stream, options, kStepDt, c);
  const Vector z = point(fast), v = random_vector(random, fast.stack.latents());
  const int m = fast.stack.outputs();
  const auto tangent = [&](auto& bound) {
    Vector y(static_cast<std::size_t>(kAhead * m)), dy(y.size());
    bound.linearise(z);
    bound.stack.roll_point({y.data(), kAhead, m});
    bound.stack.roll_tangent(v, {dy.data(), kAhead, m});
    return dy;
  };
  const Vector y = oracle.roll(z, kAhead), dy = tangent(oracle);
  EXPECT_LE(distance(fast.roll(z, kAhead), y), 1e-4 * (1 + length(y)));
  EXPECT_LE(distance(tangent(fast), dy), 1e-4 * (1 + length(dy)));
}

// --- the last step

// the step of a stream, with a stack that kept the state before it and is bound to the one after it
template <class T>
struct SteppedStack {
  SteppedStack(const Model& model, const StackOptions& options, const Vector& c)
      : before(stream_after(model, kSteps - 1, 1)), after(stream_after(model)), bound(after, options, kStepDt, c) {
    bound.stack.keep(before.state().data());
    bound.stack.begin_step();
  }

  Vector start() const {
    Vector column(static_cast<std::size_t>(bound.stack.carried()));
    bound.stack.kept(column);
    return column;
  }
  // the column that the step leads to from there, with the output behind it
  Vector from(const Vector& column) {
    bound.stack.begin_step(column);
    Vector end(column.size()), y(static_cast<std::size_t>(bound.stack.outputs()));
    bound.stack.step_value(end, y);
    end.insert(end.end(), y.begin(), y.end());
    return end;
  }

  Stream before, after;
  BoundStack<T> bound;
};

// (dz, d taps, dy) of columns
template <class T>
Vector step_jvp(BoundStack<T>& bound, const Vector& before, int columns) {
  const int n = bound.stack.carried(), m = bound.stack.outputs();
  Vector after(static_cast<std::size_t>(columns * n)), dy(static_cast<std::size_t>(columns * m));
  bound.stack.step_jvp({before.data(), columns, n}, {after.data(), columns, n}, {dy.data(), columns, m});
  Vector both;
  for (int r = 0; r < columns; ++r) {
    both.insert(both.end(), after.begin() + r * n, after.begin() + (r + 1) * n);
    both.insert(both.end(), dy.begin() + r * m, dy.begin() + (r + 1) * m);
  }
  return both;
}

TEST_P(RollOf, TheStepRunAgainLeadsToTheStatesLatentsAndTheOutput) {
  // a stream knows nothing of c, so c is zero
  SteppedStack<float> stepped(model, options, {});
  BoundStack<float>& bound = stepped.bound;
  Vector column(static_cast<std::size_t>(bound.stack.carried())), y(static_cast<std::size_t>(bound.stack.outputs()));
  bound.stack.step_value(column, y);
  const Vector z = bound.latents();
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(column[i], z[i], 1e-5 * (1 + std::fabs(z[i])));
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double expected = stepped.after.output()[j];
    EXPECT_NEAR(y[j], expected, 1e-5 * (1 + std::fabs(expected)));
  }
}

TEST_P(RollOf, StepJvpEqualsCentralDifferences) {
  SteppedStack<double> stepped(model, options, some_persistent());
  const Vector start = stepped.start();
  const double h = 1e-5;
  const int n = stepped.bound.stack.carried(), persistent = stepped.bound.stack.description().persistent;
  // directions at random, and every persistent coordinate on its own: gains and biases of the input, and time
  for (int k = -3; k < persistent; ++k) {
    Vector q = random_vector(random, k < 0 ? n : 0);
    q.resize(static_cast<std::size_t>(n));
    if (k >= 0) q[static_cast<std::size_t>(stepped.bound.stack.latents() - persistent + k)] = 1;
    stepped.bound.stack.begin_step(start);
    const Vector jq = step_jvp(stepped.bound, q, 1);
    const Vector up = stepped.from(moved(start, h, q)), down = stepped.from(moved(start, -h, q));
    for (std::size_t j = 0; j < jq.size(); ++j) {
      EXPECT_NEAR(jq[j], (up[j] - down[j]) / (2 * h), 1e-6 * (1 + std::fabs(jq[j]))) << "direction " << k << ", " << j;
    }
  }
}

TEST_P(RollOf, StepColumnsTogetherEqualColumnsOneByOneAndAgreeWithDouble) {
  options.max_directions = 3;
  const Vector c = some_persistent();
  SteppedStack<float> fast(model, options, c);
  SteppedStack<double> oracle(model, options, c);
  constexpr int kColumns = 5;
  const int n = fast.bound.stack.carried(), all = n + fast.bound.stack.outputs();
  const Vector q = random_vector(random, kColumns * n), together = step_jvp(fast.bound, q, kColumns);
  const Vector exact = step_jvp(oracle.bound, q, kColumns);
  EXPECT_LE(distance(together, exact), 1e-4 * (1 + length(exact)));
  for (int r = 0; r < kColumns; ++r) {
    EXPECT_EQ(step_jvp(fast.bound, Vector(q.begin() + r * n, q.begin() + (r + 1) * n), 1),
              Vector(together.begin() + r * all, together.begin() + (r + 1) * all));
  }
}

// S = dz/dc, carried from step to step, is what moving c all along would have done. Keys and values of past steps are
// taken as given, so not where there are windows
class PersistentOf : public RollOf {};

std::vector<StackCase> persistent_cases() {
  std::vector<StackCase> cases;
  for (const StackCase& each : stack_cases()) {
    const bool windows =
        std::any_of(each.config.blocks.begin(), each.config.blocks.end(),
                    [](const BlockConfig& block) { return std::holds_alternative<AttentionConfig>(block.kind); });
    if (each.options.persistent.time_scale && !windows) cases.push_back(each);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Case, PersistentOf, testing::ValuesIn(persistent_cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(PersistentOf, CarriedSensitivitiesAreThoseOfTheWholePast) {
  NeuralStack<double> stack(model, options);
  const StackDescription& description = stack.description();
  constexpr int kPast = 4;
  const int n = description.carried, c = description.latents - description.persistent;

  // steps from a column, with S carried in place; returns the column they lead to
  const auto steps_from = [&](Vector column, DoubleRows s) {
    Stream moving(model);
    Buffer state(moving.state().size());
    for (int t = 0; t < kPast; ++t) {
      stack.keep(moving.state().data());
      moving.advance(whole_input(model.inputs(), t), kStepDt);
      std::memcpy(state.data(), moving.state().data(), state.size());
      const std::vector<float> x = normalised_input(moving);
      stack.bind(state.data(), {.dt = kStepDt, .normalised = x});
      stack.begin_step(column);
      stack.step_value(column, {});
      if (s.count > 0) stack.step_jvp(s, s, {});
    }
    return column;
  };

  const Vector start = random_vector(random, n, 0.1);
  Vector s(static_cast<std::size_t>(description.persistent * n));
  for (int k = 0; k < description.persistent; ++k) s[static_cast<std::size_t>(k * n + c + k)] = 1;
  steps_from(start, {s.data(), description.persistent, n});
  const double h = 1e-5;
  for (int k = 0; k < description.persistent; ++k) {
    Vector up = start, down = start;
    up[static_cast<std::size_t>(c + k)] += h;
    down[static_cast<std::size_t>(c + k)] -= h;
    up = steps_from(up, {});
    down = steps_from(down, {});
    for (std::size_t j = 0; j < up.size(); ++j) {
      ASSERT_NEAR(s[static_cast<std::size_t>(k * n) + j], (up[j] - down[j]) / (2 * h), 1e-6) << k << ", " << j;
    }
  }
}

}  // namespace
}  // namespace elastane
