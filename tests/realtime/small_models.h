// One small model for every kind of block, and one stack of them all.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "elastane/core/network/model.h"

namespace elastane {

struct SmallModel {
  std::string name;
  ModelConfig config;
};
inline std::ostream& operator<<(std::ostream& out, const SmallModel& small) { return out << small.name; }

// heads of every mode
inline AttentionConfig elastic_attention() {
  return {.heads = 8,
          .kv_heads = 4,
          .window = 48,
          .block = 16,
          .sink = 16,
          .local = 16,
          .modes = {HeadMode::stream, HeadMode::blocks, HeadMode::full, HeadMode::stream}};
}

// memories in which every step writes, and in which a gate decides
inline std::vector<std::pair<std::string, DeltaConfig>> memories() {
  return {{"delta", {}},
          {"delta_squares", {.decay = false, .rule = WriteRule::least_squares, .relax = 0.01, .inflate = 3}},
          {"delta_budget", {.write = WritePolicy::budget, .threshold = 0.1, .share = 0.2, .burst = 4}},
          {"delta_seen_twice", {.write = WritePolicy::seen_twice, .threshold = 0.1, .sightings = 8}}};
}

inline SmallModel one_block(std::string name, BlockConfig block) {
  return {std::move(name), {.inputs = 2, .outputs = 2, .width = 16, .blocks = {std::move(block)}}};
}

// windows are short, so that a test goes round them many times
inline std::vector<SmallModel> small_models() {
  const AttentionConfig attention{.heads = 2, .window = 24, .rotary = true};
  const BlockConfig s4d{.kind = S4dConfig{}, .post = Activation::gelu, .mix = Mix::glu};
  const BlockConfig bilinear{.kind = S4dConfig{.discretisation = Discretisation::bilinear}};
  const BlockConfig mlp{.kind = MlpConfig{.hidden = 32, .gated = true}, .norm = Norm::layer};
  SmallModel hybrid = one_block("hybrid", {.kind = MambaConfig{}});
  hybrid.config.mask_input = true;
  hybrid.config.learned_start = true;
  hybrid.config.normaliser = {.kind = NormaliserKind::running, .restore = {0, -1}};
  hybrid.config.head.hidden = {16};
  for (const BlockConfig& block : {BlockConfig{.kind = attention}, mlp, s4d, BlockConfig{.kind = GruConfig{}},
                                   BlockConfig{.kind = LstmConfig{.hidden = 24}, .mix = Mix::linear},
                                   BlockConfig{.kind = SelectiveConfig{.hidden = 40}, .mix = Mix::linear}}) {
    hybrid.config.blocks.push_back(block);
  }
  return {one_block("s4d_zoh", s4d),
          one_block("s4d_bilinear", bilinear),
          one_block("mamba", {.kind = MambaConfig{}}),
          one_block("gru", {.kind = GruConfig{}}),
          one_block("lstm", {.kind = LstmConfig{}}),
          one_block("attention", {.kind = attention}),
          one_block("mlp", mlp),
          one_block("selective", {.kind = SelectiveConfig{}}),
          one_block("recursion", {.kind = RecursionConfig{}}),
          hybrid};
}

}  // namespace elastane
