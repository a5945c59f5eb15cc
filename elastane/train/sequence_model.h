// A model as training sees it: the same configuration, tensors and states as elastane::Model, over batches of
// sequences, in a graph.
//
//   auto model = SequenceModel::create(config, random_tensors(config, seed)).value();
//   auto [y, state] = model.forward({.x = x}, model.start(batch));
//   loss(y).backward();                                       // gradients of model.weights()
//   save_model(path, config, model.weights().tensors());      // what Model::load reads
//
// Any cut of a sequence into calls gives the same outputs, and the same as a Stream, within rounding.
#pragma once

#include <memory>
#include <vector>

#include "elastane/train/sequence_state.h"

namespace elastane::train {

// inputs of many streams
struct Sequences {
  at::Tensor x;        // (batch, length, inputs); what is not finite is missing
  at::Tensor present;  // (batch, length, inputs), bool, or undefined: all of them
  at::Tensor dt;       // (batch, length), or undefined: all 1
};

struct Forward {
  at::Tensor y;  // (batch, length, outputs)
  SequenceState state;
};

class SequenceModel {
 public:
  // in double the scans take their naive twins: slow, and exact enough to check derivatives
  static Result<SequenceModel> create(const ModelConfig& config, std::span<const elastane::Tensor> tensors,
                                      at::ScalarType type = at::kFloat, std::string_view source = "the given tensors");

  const ModelConfig& config() const { return config_; }
  const Weights& weights() const { return *weights_; }
  int attention_blocks() const { return attention_; }
  at::ScalarType type() const { return type_; }

  // how gradients pass through recursions in depth; by default that of the fixed point
  void set_recursion_gradient(const RecursionGradient& gradient) { recursion_ = gradient; }
  // puts weights back to where their file's declarations hold; to be called after every step of an optimiser
  void constrain() const;

  SequenceState start(std::int64_t streams) const;
  // `modes`: which heads of attention see everything; only for sequences from their beginning
  Forward forward(const Sequences& sequences, const SequenceState& state, HeadModes* modes = nullptr) const;

  // g_φ: the last output once more, from the state after its step, which may have been changed (batch, outputs)
  at::Tensor decode(const SequenceState& state) const;

  // z, all recurrent state values in the order of the model file's learned metric (batch, latents)
  at::Tensor latents(const SequenceState& state) const;
  SequenceState with_latents(const SequenceState& state, const at::Tensor& z) const;
  // with the last step's own entries in windows as the latents make them, where these have been changed
  SequenceState settled(const SequenceState& state) const;

 private:
  struct Layer {
    BlockConfig config;
    Scope weights;
    std::unique_ptr<Block> block;
    int attention;  // attention blocks before this one
  };
  struct Inputs {
    at::Tensor seen;          // what the encoder gets
    at::Tensor level, scale;  // of every input, double; undefined where nothing is restored
  };

  SequenceModel(const ModelConfig& config, Weights weights, at::ScalarType type);

  Inputs normalise(const Sequences& sequences, SequenceState& state) const;
  at::Tensor norm(Norm kind, const Scope& scope, const at::Tensor& h) const;
  at::Tensor mix_in(const Layer& layer, const at::Tensor& o, const at::Tensor& h) const;
  template <class F>
  at::Tensor through_blocks(at::Tensor h, F block) const;
  at::Tensor head(const at::Tensor& h) const;
  at::Tensor restored(const at::Tensor& y, const at::Tensor& level, const at::Tensor& scale) const;

  ModelConfig config_;
  std::unique_ptr<Weights> weights_;  // stays where it is: scopes point to it
  at::ScalarType type_;
  RecursionGradient recursion_;
  std::vector<Layer> layers_;
  int attention_ = 0;
};

}  // namespace elastane::train
