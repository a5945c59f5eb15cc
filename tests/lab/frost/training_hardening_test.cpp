// lab/frost/training_hardening.cpp: curves at their ends, and the channels that decide.
#include "lab/frost/training_hardening.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "elastane/train/block.h"
#include "lab/frost/cells.h"

namespace elastane::frost {
namespace {

train::Weights drawn(const ModelConfig& config, std::uint64_t seed) {
  return train::Weights::create(config, random_tensors(config, seed)).value();
}
at::Tensor named(const train::Weights& w, const std::string& name) { return w["blocks.0.recursion." + name].detach(); }

// I or G of a wall, a free cell and the start [3][channel]
at::Tensor kinds(const train::Weights& w, const std::string& name, double offset) {
  const at::Tensor x = at::tensor({0, 0, 1, 0, 1, 1}, at::kFloat).view({3, 2});
  const at::Tensor at = at::linear(x, named(w, name + ".weight"), named(w, name + ".bias"));
  return (1.2 * at::sigmoid(4 * at - offset) - 0.1).clamp(0, 1);
}

// h of some episodes after 40 iterations
at::Tensor states(const ModelConfig& config, const train::Weights& w) {
  const auto twin = train::twin(std::get<RecursionConfig>(config.blocks[0].kind), config.width,
                                train::Scope(w, "blocks.0.recursion."));
  std::vector<at::Tensor> x;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Episode e = draw_episode(Task::grid, 4, seed);
    x.push_back(at::from_blob(e.features.data(), {1, 32}).clone());
  }
  train::BlockState state = twin->start(8);
  twin->forward(at::stack(x), {.recursion = {.unrolled = 40, .from_start = true}}, state);
  return state[0];
}

TEST(TrainingHardening, RoundsEveryKindOfCellToItsEnds) {
  const ModelConfig config = cells_config(Task::grid, 4);
  const train::Weights w = drawn(config, 3);
  round_cells(w);
  for (const at::Tensor& at : {kinds(w, "gate", 0), kinds(w, "input", 2)}) {
    EXPECT_TRUE(((at == 0) | (at == 1)).all().item<bool>()) << at;
  }
  const at::Tensor once = named(w, "input.weight").clone();
  round_cells(w);
  EXPECT_TRUE(at::allclose(once, named(w, "input.weight")));
}

TEST(TrainingHardening, FindsTheChannelThatDecidesAndWhatItIsMadeOf) {
  const ModelConfig config = cells_config(Task::grid, 4);
  const train::Weights w = drawn(config, 3);
  {
    const at::NoGradGuard guard;
    at::Tensor logits = named(w, "mix.logits");  // every channel passes on itself, the third the sixth
    logits.zero_();
    for (int c = 0; c < 8; ++c) logits[c][c == 2 ? 8 + 5 : 8 + c] = 1;
  }
  const at::Tensor labels = at::tensor({0, 1, 1, 0}, at::kLong).view({1, 4});
  at::Tensor h = at::rand({1, 8, 4});
  h.select(1, 0).copy_(at::tensor({1e-9, 1e-6, 1e-6, 0.0}).view({1, 4}));  // a leak
  EXPECT_FALSE(deciding_channels(w, at::zeros({1, 8, 4}), labels).has_value());
  h.fill_(0.5);
  h[0][0] = at::tensor({0.0, 1e-6, 1e-6, 0.0});
  EXPECT_FALSE(deciding_channels(w, h, labels).has_value());
  h[0][2] = at::tensor({0.1, 0.4, 0.2, 0.0});
  EXPECT_EQ(deciding_channels(w, h, labels), (std::vector{2, 5}));
  h[0][7] = at::tensor({0.1, 0.4, 0.2, 0.0});
  EXPECT_EQ(deciding_channels(w, h, labels), (std::vector{7}));
}

TEST(TrainingHardening, KeepsTheStatesOfTheChannelsThatItKeeps) {
  ModelConfig config = cells_config(Task::grid, 4);
  const train::Weights all = drawn(config, 5);
  mix_one_channel(all);
  std::vector<int> kept;
  const at::Tensor from = named(all, "mix.logits").argmax(1);
  for (int c = 3; std::ranges::find(kept, c) == kept.end(); c = static_cast<int>(from[c].item<std::int64_t>()) % 8) {
    kept.push_back(c);
  }
  const at::Tensor h = states(config, all);
  std::get<RecursionConfig>(config.blocks[0].kind).hidden = static_cast<int>(kept.size());
  const train::Weights few = drawn(config, 6);
  keep_channels(all, kept, few);
  const at::Tensor fewer = states(config, few);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_TRUE(at::allclose(fewer.select(1, static_cast<std::int64_t>(i)), h.select(1, kept[i]), 1e-5, 1e-7));
  }
}

}  // namespace
}  // namespace elastane::frost
