// Tests of elastane/core/network/state.cpp: reset states, and which bytes are a sound state.
#include "elastane/core/network/state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/decaying_memory.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

ModelConfig every_class() {
  ModelConfig config = hybrid_config();
  config.blocks.push_back({.kind = decaying_memory()});
  config.learned_start = true;
  return config;
}

TEST(State, IsTheSameAfterEveryReset) {
  const Model model = model_of(every_class());
  const Network& network = model.network();
  std::vector<std::byte> fresh(network.layout.size, std::byte{0x5A}), used(network.layout.size);
  reset_state(network, fresh.data());
  reset_state(network, used.data());
  EXPECT_EQ(fresh, used);
  EXPECT_TRUE(is_sound(network, fresh));
  EXPECT_EQ(StateView(fresh.data(), network.layout).header().position, 0u);
}

TEST(State, IsNotSoundWithANumberThatIsNotFinite) {
  const Model model = model_of(every_class());
  const Network& network = model.network();
  const StateLayout& layout = network.layout;
  for (const std::size_t at : {layout.last, layout.encoded, layout.dense, layout.ring, layout.slow}) {
    Buffer state(layout.size);
    reset_state(network, state.data());
    const float value = std::nanf("");
    std::memcpy(state.data() + at, &value, sizeof(value));
    EXPECT_FALSE(is_sound(network, {state.data(), layout.size})) << at;
  }
}

TEST(StateView, FindsTheClassesOfAState) {
  const Model model = model_of(every_class());
  const StateLayout& layout = model.network().layout;
  Buffer state(layout.size);
  const StateView view(state.data(), layout);
  EXPECT_EQ(reinterpret_cast<std::byte*>(view.dense()), state.data() + layout.dense);
  EXPECT_EQ(reinterpret_cast<std::byte*>(view.ring()), state.data() + layout.ring);
  EXPECT_EQ(reinterpret_cast<std::byte*>(view.slow()), state.data() + layout.slow);
}

}  // namespace
}  // namespace elastane
