// A block as training sees it: the twin of a block of core/backbone, over batches of sequences.
//
// A twin has its block's name, tensors and state. forward() is one training step; read() is the
// read-out of one step from the state after it, as the corrector needs it, with derivatives of any order.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <vector>

#include "elastane/core/network/model_config.h"
#include "elastane/train/head_modes.h"
#include "elastane/train/weights.h"

namespace elastane::train {

// A block's state, streams first; the recurrent parts, which are latents, come before windows. Planes are those of the
// core: [state][channel].
using BlockState = std::vector<at::Tensor>;

// how gradients pass through a recursion in depth
struct RecursionGradient {
  int unrolled = 0;         // iterations in the graph behind the converged point; 0: that of the fixed point itself
  bool from_start = false;  // no convergence before them: exactly `unrolled` iterations, all in the graph
};

// the times of the steps of one call
struct Steps {
  at::Tensor dt;               // (batch, length), or undefined: all 1
  at::Tensor time;             // (batch, length), double: sum of all dt, the step's own included
  at::Tensor position;         // (batch), int64: steps before the first of these
  HeadModes* modes = nullptr;  // which heads of attention see everything; null: all, or as the configuration has it
  int attention = 0;           // attention blocks before this one
  RecursionGradient recursion = {};
};

class Block {
 public:
  virtual ~Block() = default;

  virtual BlockState start(std::int64_t batch) const = 0;
  virtual int latents() const { return 1; }  // how many tensors of the state are recurrent

  // u (batch, length, width) to o (batch, length, outputs of the block); the state is advanced
  virtual at::Tensor forward(const at::Tensor& u, const Steps& steps, BlockState& state) const = 0;

  // u (batch, width), with the state after the step, to o (batch, outputs of the block)
  virtual at::Tensor read(const at::Tensor& u, const Steps& now, const BlockState& state) const = 0;

  // the step's own entry in a window, from a u that has changed since
  virtual void rewrite(const at::Tensor&, const Steps&, BlockState&) const {}

  // puts weights back to where their file's declarations hold, after an optimiser moved them
  virtual void constrain() const {}
};

// one file each: s4d.cpp, mamba.cpp, …
std::unique_ptr<Block> twin(const S4dConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const MambaConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const GruConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const LstmConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const AttentionConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const MlpConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const SelectiveConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const RecursionConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const DeltaConfig& config, int width, Scope weights);
std::unique_ptr<Block> twin(const CustomConfig& config, int width, Scope weights);  // throws: core cannot know its twin

at::Tensor activate(Activation kind, const at::Tensor& x);

// the start that a model learned, or zeros of this shape, for every stream
at::Tensor start_of(const Scope& weights, std::string_view name, const at::Tensor& like, std::int64_t batch,
                    std::vector<std::int64_t> shape);

}  // namespace elastane::train
