// A model file as LibTorch runs it, one stream, one step at a time: the rival of elastane::Stream in the benchmark.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "bench/rivals/libtorch/step_blocks.h"

namespace elastane::libtorch {

// h ← h + mix(post(o)), or without the h. A block's own last projection, if there is one, is the first part of the mix.
class MixStep {
 public:
  MixStep(const BlockConfig& config, const Weights& weights, const std::string& prefix, const at::Tensor& h);

  void step(const at::Tensor& o);

 private:
  const at::Tensor& projected(const at::Tensor& o);
  const at::Tensor& activated(const at::Tensor& o);
  void add_gated(const at::Tensor& o);
  void add(const at::Tensor& o);

  Activation post_;
  bool glu_, residual_;
  at::Tensor h_;
  at::Tensor projection_, projected_;  // if an activation stands between it and the mix
  at::Tensor activated_;
  at::Tensor matrix_, bias_;  // undefined if there is none
  at::Tensor mixed_, p_, q_;  // glu: Wo + b and its halves
};

struct LayerStep {
  NormStep norm;
  std::variant<MambaStep, S4dStep, GruStep, SelectiveStep> block;
  MixStep mix;
};

struct HeadLayerStep {
  at::Tensor matrix, bias, y;
};

class StepModel {
 public:
  // the file's tensors must fit its configuration
  static Result<StepModel> create(const ModelFile& file, const std::string& source);

  // one step with dt = 1; x has every input; the outputs stay valid until the next step
  std::span<const float> step(std::span<const float> x);
  void reset();

 private:
  explicit StepModel(const ModelFile& file);
  StepModel(const ModelConfig& config, const Weights& weights);
  void read(Scaled u);

  Activation activation_;
  at::Tensor input_;  // persistent, written by step; ends in ones if the encoder sees the mask
  at::Tensor encoder_, encoder_bias_;
  at::Tensor h_;  // the residual stream
  std::vector<LayerStep> layers_;
  NormStep norm_;
  std::vector<HeadLayerStep> head_;
};

}  // namespace elastane::libtorch
