// Tests of elastane/core/network/step.cpp: what an advance reports of its inputs and of its cost.
#include "elastane/core/network/step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/network/state.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

class AdvanceOf : public testing::Test {
 protected:
  const Model model = model_of(hybrid_config());
  const Network& network = model.network();
  Workspace workspace{network, 2};
  Buffer first{network.layout.size}, second{network.layout.size};
  std::byte* states[2] = {first.data(), second.data()};

  void SetUp() override {
    for (std::byte* state : states) reset_state(network, state);
  }
};

TEST_F(AdvanceOf, CountsTheWorkOfEveryRow) {
  const std::vector<float> x = {1, 2, 3};
  const Sample samples[2] = {{x, {}, 1}, {x, {}, 1}};
  AdvanceReport report = begin_report(workspace);
  EXPECT_EQ(report.macs, 0);
  ASSERT_EQ(report.blocks.size(), network.layers.size());
  advance(network, samples, states, true, workspace, report);
  EXPECT_EQ(report.macs, 2 * model.macs());
  std::int64_t blocks = 0;
  for (const BlockReport& block : report.blocks) blocks += block.macs;
  EXPECT_EQ(report.macs, blocks + 2 * network.dense_macs);
  // a second tile of the same advance adds to it
  advance(network, {samples, 1}, states, true, workspace, report);
  EXPECT_EQ(report.macs, 3 * model.macs());
  EXPECT_EQ(begin_report(workspace).blocks[0], BlockReport{});
}

TEST_F(AdvanceOf, CountsWhatWasMissing) {
  const std::vector<float> x = {1, std::nanf(""), 3};
  const std::vector<std::uint8_t> present = {0, 1, 1};
  const Sample sample{x, present, -1};
  AdvanceReport report = begin_report(workspace);
  advance(network, {&sample, 1}, states, true, workspace, report);
  EXPECT_EQ(report.missing, 2);
  EXPECT_EQ(report.not_finite, 1);
  EXPECT_TRUE(report.time_ignored);
}

TEST_F(AdvanceOf, RowsOfOneStreamFollowEachOther) {
  const std::vector<float> x = {1, 2, 3}, y = {0, -1, 5};
  const Sample samples[2] = {{x, {}, 1}, {y, {}, 2}};
  AdvanceReport report = begin_report(workspace);
  for (const Sample& sample : samples) advance(network, {&sample, 1}, states, true, workspace, report);
  std::byte* same[2] = {states[1], states[1]};
  advance(network, samples, same, false, workspace, report);
  EXPECT_EQ(std::memcmp(states[0], states[1], network.layout.size), 0);
  EXPECT_EQ(StateView(states[0], network.layout).header().time, 3);
}

}  // namespace
}  // namespace elastane
