// Small models for tests: one of each block, and a stack of all of them.
#pragma once

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "elastane/core/network/network.h"
#include "elastane/core/stream/stream.h"
#include "tests/isa.h"

namespace elastane {

using BlockKind = decltype(BlockConfig::kind);

// one of each kind, with sizes that are not multiples of a vector
inline std::vector<BlockKind> all_kinds() {
  return {S4dConfig{.state = 6},
          S4dConfig{.state = 6, .discretisation = Discretisation::bilinear},
          MambaConfig{.state = 5, .conv = 3},
          GruConfig{},
          LstmConfig{},
          AttentionConfig{.heads = 5, .kv_heads = 1, .window = 16},
          MlpConfig{.hidden = 7},
          SelectiveConfig{},
          RecursionConfig{.inner = 7, .depth = 8, .tolerance = 1e-6}};
}

// Memories: every rule and every way to choose writes. They are not among all_kinds, on all of which correctors work.
inline std::vector<BlockKind> memory_kinds() {
  const DeltaConfig squares{.key = 5, .taps = 2, .decay = false, .rule = WriteRule::least_squares, .noise = 0.2};
  const auto gated = [](DeltaConfig config, WritePolicy policy) {
    config.write = policy;
    config.sightings = 3;
    config.burst = 2;
    return config;
  };
  return {DeltaConfig{.key = 5, .value = 7, .taps = 3},
          DeltaConfig{.key = 5, .value = 7, .taps = 3, .form = DeltaForm::published, .gated = true},
          DeltaConfig{.decay = false, .form = DeltaForm::published},
          squares,
          gated({.key = 5, .value = 7, .threshold = 0.4}, WritePolicy::surprise),
          gated({.key = 9, .taps = 1, .decay = false, .threshold = 0.2, .share = 0.3}, WritePolicy::budget),
          gated({.decay = false, .rule = WriteRule::least_squares, .relax = 0.01, .inflate = 3, .threshold = 0.3},
                WritePolicy::surprise),
          gated({.key = 3, .threshold = 0.1}, WritePolicy::seen_twice)};
}

inline ModelConfig one_block(BlockKind kind, Norm norm = Norm::rms) {
  ModelConfig config{.inputs = 3, .outputs = 2, .width = 10};
  config.blocks = {{.kind = std::move(kind), .norm = norm}};
  return config;
}

// every kind of block, every norm and mix, a window that turns after 16 steps, and the running normaliser
inline ModelConfig hybrid_config() {
  ModelConfig config{.inputs = 3, .outputs = 2, .width = 12};
  config.normaliser = {.kind = NormaliserKind::running, .decay = 0.9, .restore = {1, -1}};
  config.mask_input = true;
  config.blocks = {
      {.kind = S4dConfig{.state = 4}, .post = Activation::gelu, .mix = Mix::glu},
      {.kind = MambaConfig{.state = 3, .conv = 4}},
      {.kind = AttentionConfig{.heads = 3, .kv_heads = 1, .window = 16}, .norm = Norm::layer},
      {.kind = GruConfig{.hidden = 19}, .norm = Norm::none, .mix = Mix::linear},
      {.kind = LstmConfig{.hidden = 5}, .post = Activation::tanh, .mix = Mix::glu},
      {.kind = S4dConfig{.state = 2, .discretisation = Discretisation::bilinear}, .residual = false},
      {.kind = AttentionConfig{.heads = 2, .window = 5, .rotary = false}},
      {.kind = MlpConfig{.hidden = 9, .activation = Activation::silu, .gated = true}},
      {.kind = SelectiveConfig{.hidden = 21}, .post = Activation::silu, .mix = Mix::linear},
      {.kind = RecursionConfig{.hidden = 5, .depth = 8, .tolerance = 1e-6}, .mix = Mix::linear},
  };
  config.head.hidden = {11};
  return config;
}

// as small as a snapshot gets while it still has a state to lose
inline ModelConfig tiny_config() {
  ModelConfig config{.inputs = 1, .outputs = 1, .width = 2};
  config.blocks = {{.kind = S4dConfig{.state = 2}}};
  return config;
}

// fresh weights; starting states, which begin at zero, get values too
inline std::vector<Tensor> tensors_of(const ModelConfig& config, std::uint64_t seed = 1) {
  std::vector<Tensor> tensors = random_tensors(config, seed);
  Random random(seed);
  for (Tensor& tensor : tensors) {
    if (!tensor.name.ends_with(".h0") && !tensor.name.ends_with(".c0")) continue;
    for (float& value : tensor.values) value = static_cast<float>(random.uniform(-1, 1));
  }
  return tensors;
}

inline Model model_of(const ModelConfig& config, std::uint64_t seed = 1) {
  return Model::create(config, tensors_of(config, seed), {.isa = test_isa()}).value();
}

// row t of an endless input, with a gap here and there
struct Input {
  int channels;
  std::uint64_t seed = 0;

  std::vector<float> operator()(int t) const {
    Random random(seed + 99, static_cast<std::uint64_t>(t) * 64);
    std::vector<float> x(static_cast<std::size_t>(channels));
    for (float& value : x) value = static_cast<float>(3 + 2 * random.normal());
    if (t % 7 == 3) x[0] = std::nanf("");
    return x;
  }
};

inline std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }
inline std::vector<std::byte> copy(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

inline bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}
inline bool same_state(const Stream& a, const Stream& b) {
  return a.state().size() == b.state().size() && std::memcmp(a.state().data(), b.state().data(), a.state().size()) == 0;
}

inline std::vector<std::byte> snapshot_of(const Stream& stream) {
  std::vector<std::byte> bytes(stream.snapshot_bytes());
  stream.snapshot(bytes).value();
  return bytes;
}

// the part of a state that blocks rewrite in every step
inline std::span<const float> dense_of(const Stream& stream) {
  const StateLayout& layout = stream.model().network().layout;
  return {reinterpret_cast<const float*>(stream.state().data() + layout.dense),
          (layout.ring - layout.dense) / sizeof(float)};
}

}  // namespace elastane
