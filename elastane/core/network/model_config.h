// What a model is made of. docs/model_format.md says what every field means and how files spell it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "elastane/core/base/block_configs.h"
#include "elastane/core/base/result.h"
#include "elastane/core/base/tensor.h"

namespace elastane {

enum class Mix : std::uint8_t { none, linear, glu };
enum class Missing : std::uint8_t { hold, zero };
// dense: an encoder before the blocks and a head behind them; none: inputs, width and outputs are the same
enum class Ends : std::uint8_t { dense, none };

struct BlockConfig {
  std::variant<S4dConfig, MambaConfig, GruConfig, LstmConfig, AttentionConfig, MlpConfig, SelectiveConfig,
               RecursionConfig, DeltaConfig, CustomConfig>
      kind;
  Norm norm = Norm::rms;               // before the block
  Activation post = Activation::none;  // of the read-out
  Mix mix = Mix::none;                 // after that
  bool residual = true;
  bool operator==(const BlockConfig&) const = default;
};

// G_ψ = diag(softplus(s)) + LLᵀ, for correctors that use it
struct LearnedMetricConfig {
  bool present = false;
  int rank = 4;  // columns of L; may be 0
  bool operator==(const LearnedMetricConfig&) const = default;
};

struct ModelConfig {
  int inputs = 1;
  int outputs = 1;
  int width = 16;
  Precision weights = Precision::float32;
  Missing missing = Missing::hold;
  bool mask_input = false;
  bool learned_start = false;
  Ends ends = Ends::dense;
  NormaliserConfig normaliser;
  std::vector<BlockConfig> blocks;
  Norm norm = Norm::rms;  // before the head
  HeadConfig head;
  LearnedMetricConfig metric;
  std::vector<double> noise;  // σ of every output around its target, on held-out data; empty: not measured
  bool operator==(const ModelConfig&) const = default;
};

// the block's name in files: "s4d", "mamba", … or that of a custom kind
std::string_view block_name(const BlockConfig& block);

// every field within its range, sizes that fit together; the error names the first that is not
Status validate(const ModelConfig& config);

// the tensors that a model of this configuration has
std::vector<TensorSpec> tensor_specs(const ModelConfig& config);

// fresh weights, with which training starts
std::vector<Tensor> random_tensors(const ModelConfig& config, std::uint64_t seed);

}  // namespace elastane
