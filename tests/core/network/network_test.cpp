// Tests of elastane/core/network/network.h: every kind of block is visited, and has its own part of the state.
#include "elastane/core/network/network.h"

#include <gtest/gtest.h>

#include <set>
#include <type_traits>

#include "tests/core/decaying_memory.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

template <std::size_t... kIndex>
std::set<std::size_t> visited(std::index_sequence<kIndex...>) {
  std::set<std::size_t> kinds;
  for (const Block& block : {Block(std::in_place_index<kIndex>)...}) {
    visit_block(block, [&](const auto& held) {
      // what is visited is what is held
      if (std::get_if<std::decay_t<decltype(held)>>(&block) == &held) kinds.insert(block.index());
    });
  }
  return kinds;
}

TEST(VisitBlock, CallsEveryKind) {
  constexpr std::size_t kKinds = std::variant_size_v<Block>;
  EXPECT_EQ(visited(std::make_index_sequence<kKinds>()).size(), kKinds);
  EXPECT_EQ(std::variant_size_v<decltype(BlockConfig::kind)>, kKinds) << "a configuration for every kind";
}

TEST(StateLayout, GivesEveryBlockItsOwnPartOfEachClass) {
  ModelConfig config = hybrid_config();
  config.blocks.push_back({.kind = decaying_memory(3)});
  config.blocks.push_back({.kind = decaying_memory(4)});
  const Model model = model_of(config);
  const StateLayout& layout = model.network().layout;
  StateSlot end;
  for (const Layer& layer : model.network().layers) {
    visit_block(layer.block, [&](const auto& block) {
      const StateClasses state = block.state();
      EXPECT_EQ(block.slot.dense, end.dense);
      EXPECT_EQ(block.slot.ring, end.ring);
      EXPECT_EQ(block.slot.slow, end.slow);
      EXPECT_EQ(block.slot.log, end.log);
      end = {.dense = end.dense + state.dense,
             .ring = end.ring + padded(state.ring),
             .slow = end.slow + padded(state.slow.floats()),
             .log = end.log + state.slow.log_floats()};
    });
  }
  EXPECT_EQ(layout.ring, layout.dense + sizeof(float) * static_cast<std::size_t>(end.dense));
  EXPECT_EQ(layout.slow, layout.ring + sizeof(float) * static_cast<std::size_t>(end.ring));
  EXPECT_EQ(layout.size, layout.slow + sizeof(float) * static_cast<std::size_t>(end.slow));
  EXPECT_EQ(layout.slow_parts.size(), 2u);
  EXPECT_EQ(layout.rings.size(), 5u);  // keys of two windows, and values of their one and two key heads
  EXPECT_EQ(model.state_bytes(), layout.size);
}

TEST(StateLayout, OfModelsWithoutSlowStatesEndsWithTheRing) {
  const Model model = model_of(hybrid_config());
  const StateLayout& layout = model.network().layout;
  EXPECT_EQ(layout.slow, layout.size);
  EXPECT_EQ(layout.log_floats, 0);
}

}  // namespace
}  // namespace elastane
