// The stacks of blocks that worlds train and compare, one definition of each. Sizes are the task's.
//
//   transformer   attention, network, attention, network
//   selective     network, network, selective state-space block
//   mamba         mamba, network, mamba
//   hybrids       a stack of those with one layer of attention
#pragma once

#include <vector>

#include "elastane/core/network/model_config.h"

namespace elastane::train {

inline BlockConfig mlp_block(int hidden) {
  return {.kind = MlpConfig{.hidden = hidden, .activation = Activation::silu}};
}
inline BlockConfig attention_block(int window) { return {.kind = AttentionConfig{.heads = 4, .window = window}}; }
inline BlockConfig selective_block() { return {.kind = SelectiveConfig{.hidden = 64}}; }
inline BlockConfig mamba_block() { return {.kind = MambaConfig{.state = 16}}; }

struct StackSizes {
  int hidden = 192;  // of the position-wise networks
  int window = 128;  // of attention, in steps
};

inline std::vector<BlockConfig> mlp_stack(const StackSizes& s) {
  return {mlp_block(s.hidden), mlp_block(s.hidden), mlp_block(s.hidden)};
}

inline std::vector<BlockConfig> transformer_stack(const StackSizes& s) {
  return {attention_block(s.window), mlp_block(s.hidden), attention_block(s.window), mlp_block(s.hidden)};
}

inline std::vector<BlockConfig> selective_stack(const StackSizes& s) {
  return {mlp_block(s.hidden), mlp_block(s.hidden), selective_block()};
}

inline std::vector<BlockConfig> selective_hybrid_stack(const StackSizes& s) {
  return {mlp_block(s.hidden), mlp_block(s.hidden), selective_block(), attention_block(s.window)};
}

inline std::vector<BlockConfig> mamba_stack(const StackSizes& s) {
  return {mamba_block(), mlp_block(s.hidden), mamba_block()};
}

inline std::vector<BlockConfig> mamba_hybrid_stack(const StackSizes& s) {
  return {mamba_block(), mlp_block(s.hidden), attention_block(s.window), mamba_block()};
}

}  // namespace elastane::train
