// Tests elastane/core/latent/neural_stack.cpp and neural_stack_roll.cpp: nothing but construction asks for anything.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "elastane/core/latent/neural_stack.h"
#include "elastane/core/stream/stream.h"
#include "tests/isa.h"
#include "tests/realtime/small_models.h"
#include "tests/realtime/watched_run.h"

namespace elastane {
namespace {

class EveryStack : public testing::TestWithParam<SmallModel> {};

TEST_P(EveryStack, ReadsRollsStepsAndCommitsAskingForNothing) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers interpose the allocator and the locks themselves";
  const ModelConfig& config = GetParam().config;
  const Model model = Model::create(config, random_tensors(config, 1), {.isa = test_isa()}).value();
  constexpr int kColumns = 5, kAhead = 3;
  NeuralStack<float> stack(
      model, {.max_directions = 4,
              .max_horizon = kAhead,
              .persistent = {.output_gain = true, .readout_rank = 1, .input_bias = true, .time_scale = true}});
  const int d = stack.latents(), m = stack.outputs(), n = stack.carried();
  std::vector<double> z(static_cast<std::size_t>(d)), y(static_cast<std::size_t>(m)), q(z.size() * kColumns, 0.1);
  std::vector<double> w(y.size() * kColumns, 0.1), ahead(y.size() * kAhead), column(static_cast<std::size_t>(n));
  std::vector<double> carried(column.size() * kColumns, 0.1);
  std::vector<float> x(static_cast<std::size_t>(config.inputs * 2), 0.5F);
  const std::span<const float> input = std::span(x).first(static_cast<std::size_t>(config.inputs));
  Stream stream(model);
  Buffer state(model.state_bytes());
  const Verdict verdict = run_watched([&] {
    for (int i = 0; i < 300; ++i) {
      stack.keep(stream.state().data());
      stream.advance(input, 0.5F);
      std::memcpy(state.data(), stream.state().data(), model.state_bytes());
      stack.bind(state.data(), {.dt = 0.5, .normalised = x});
      stack.begin_step();
      stack.step_value(column, y);
      stack.step_jvp({carried.data(), kColumns, n}, {carried.data(), kColumns, n}, {w.data(), kColumns, m});
      stack.begin_step(column);
      stack.kept(column);
      stack.latents_from_state(z);
      stack.linearise(z, y);
      stack.jvp({q.data(), kColumns, d}, {w.data(), kColumns, m});
      stack.vjp({w.data(), kColumns, m}, {q.data(), kColumns, d});
      stack.second(z, y);
      stack.output(z, y);
      stack.roll_point({ahead.data(), kAhead, m});
      stack.roll_tangent(z, {ahead.data(), kAhead, m});
      stack.roll(z, {ahead.data(), kAhead, m});
      stack.commit(z);
    }
    return stack.cost().read >= 0 && std::isfinite(y[0]) && std::isfinite(ahead.back());
  });
  EXPECT_EQ(verdict.system_call, -1) << "see asm/unistd_64.h for its name";
  EXPECT_TRUE(verdict.finished && verdict.succeeded);
  EXPECT_EQ(verdict.requests.allocations, 0);
  EXPECT_EQ(verdict.requests.locks, 0);
}

INSTANTIATE_TEST_SUITE_P(Realtime, EveryStack, testing::ValuesIn(small_models()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace elastane
