// Tests of elastane/core/stream/history.cpp: a step is undone bit for bit, whatever class of state it wrote.
#include "elastane/core/stream/history.h"

#include <gtest/gtest.h>

#include "elastane/core/network/state.h"
#include "elastane/core/network/step.h"
#include "tests/core/decaying_memory.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

ModelConfig every_class() {
  ModelConfig config = hybrid_config();
  config.blocks.push_back({.kind = decaying_memory(7, 0.1)});
  return config;
}

// a state with `extra` bytes behind it, stepped by hand
struct Stepped {
  Stepped(const Model& model, int depth, std::size_t extra)
      : network(model.network()),
        state(network.layout.size + extra),
        workspace(network, 1),
        history(network, depth, extra),
        extra_bytes(extra) {
    reset_state(network, state.data());
  }

  void step(int t) {
    history.push(network, state.data());
    const std::vector<float> x = Input{3}(t);
    const Sample sample{x, {}, 1.0F};
    std::byte* at = state.data();
    AdvanceReport report = begin_report(workspace);
    advance(network, {&sample, 1}, &at, true, workspace, report);
    history.keep_changes(network, workspace.slow_log[0]);
    for (std::size_t i = 0; i < extra_bytes; ++i)
      state.data()[network.layout.size + i] ^= static_cast<std::byte>(t + 1);
  }
  std::vector<std::byte> bytes() const { return {state.data(), state.data() + state.size()}; }

  const Network& network;
  Buffer state;
  Workspace workspace;
  History history;
  std::size_t extra_bytes;
};

TEST(History, UndoesStepsOfEveryClassOfState) {
  const Model model = model_of(every_class());
  ASSERT_FALSE(model.network().layout.rings.empty());
  ASSERT_FALSE(model.network().layout.slow_parts.empty());
  Stepped run(model, 6, 64);
  std::vector<std::vector<std::byte>> before;
  for (int t = 0; t < 40; ++t) {
    before.push_back(run.bytes());
    run.step(t);
  }
  EXPECT_EQ(run.history.kept(), 6);
  for (int back = 1; back <= 6; ++back) {
    run.history.pop(run.network, run.state.data());
    ASSERT_EQ(run.bytes(), before[static_cast<std::size_t>(40 - back)]) << back << " steps back";
  }
  EXPECT_EQ(run.history.kept(), 0);
  run.history.pop(run.network, run.state.data());  // nothing is left to undo
  EXPECT_EQ(run.bytes(), before[34]);
}

TEST(History, WithoutDepthKeepsNothing) {
  const Model model = model_of(every_class());
  Stepped run(model, 0, 0);
  run.step(0);
  EXPECT_EQ(run.history.kept(), 0);
  EXPECT_EQ(run.history.depth(), 0);
}

TEST(History, ForgetsWhenItIsCleared) {
  const Model model = model_of(every_class());
  Stepped run(model, 3, 0);
  run.step(0);
  run.history.clear();
  const std::vector<std::byte> now = run.bytes();
  run.history.pop(run.network, run.state.data());
  EXPECT_EQ(run.bytes(), now);
}

}  // namespace
}  // namespace elastane
