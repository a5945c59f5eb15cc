// Stacks of blocks that are compared on a text, with as many parameters as full attention or as many multiply-adds.
//
//   ssm        two Mamba blocks                          state of a fixed size
//   delta      a Mamba block and a delta memory          the same
//   window     two attentions over the last 64 bytes     the same
//   attention  two attentions over the whole piece       state that grows with the piece
//
// A network follows each of them; its hidden units are what makes stacks equal.
#pragma once

#include <string>
#include <vector>

#include "elastane/core/network/model_config.h"

namespace elastane::language {

const std::vector<std::string>& text_stacks();

inline constexpr const char* kEqualParameters = "parameters";
inline constexpr const char* kEqualCompute = "compute";

// `equal`: one of the two above. `piece`: bytes from reset to reset.
Result<ModelConfig> text_config(const std::string& stack, const std::string& equal, int piece);

std::int64_t parameters_of(const ModelConfig& config);
// Counted multiply-adds per byte, the mean over a piece. Attention counts the keys that it holds, not its whole window.
double macs_per_byte(const ModelConfig& config, int piece);

}  // namespace elastane::language
