// The rival again, a step written by hand from the public operations: a fresh tensor for each result, the
// equations of docs/model_format.md in their order. StepModel is the same step made as fast as LibTorch allows.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "bench/rivals/libtorch/step_parts.h"

namespace elastane::libtorch {

// A block reads u, advances its state and returns its read-out; both are batches of one row, as the modules of PyTorch
// take them. Without that dimension the same steps take as long.
class PlainMamba {
 public:
  PlainMamba(const Weights& weights, const std::string& prefix);

  at::Tensor step(const at::Tensor& u);
  void reset();

 private:
  at::Tensor in_proj_, conv_weight_, conv_bias_, x_proj_, dt_proj_, dt_bias_, a_, d_, out_proj_;
  at::Tensor start_, s_;  // state, (1, inner, state)
  at::Tensor window_;     // the last inputs of the convolution, (1, inner, conv)
};

class PlainS4d {
 public:
  PlainS4d(const S4dConfig& config, const Weights& weights, const std::string& prefix);

  at::Tensor step(const at::Tensor& u);
  void reset() { s_ = start_; }

 private:
  at::Tensor a_bar_, b_bar_, c_, d_;
  at::Tensor start_, s_;  // state, complex (1, width, pairs)
};

class PlainGru {
 public:
  PlainGru(const Weights& weights, const std::string& prefix);

  at::Tensor step(const at::Tensor& u);
  void reset() { h_ = start_; }

 private:
  at::Tensor weight_ih_, weight_hh_, bias_ih_, bias_hh_;
  at::Tensor start_, h_;
};

class PlainSelective {
 public:
  PlainSelective(const Weights& weights, const std::string& prefix);

  at::Tensor step(const at::Tensor& u);
  void reset() { z_ = start_; }

 private:
  at::Tensor delta_weight_, delta_bias_, input_weight_, input_bias_, a_;
  at::Tensor start_, z_;
};

using PlainBlock = std::variant<PlainMamba, PlainS4d, PlainGru, PlainSelective>;

// a linear layer or a norm; the bias is undefined if there is none
struct PlainWeights {
  at::Tensor weight, bias;
};

struct PlainLayer {
  BlockConfig config;
  PlainWeights norm, mix;
  PlainBlock block;
};

class PlainModel {
 public:
  // the file's tensors must fit its configuration
  static Result<PlainModel> create(const ModelFile& file, const std::string& source);

  // one step with dt = 1; x has every input; the outputs stay valid until the next step
  std::span<const float> step(std::span<const float> x);
  void reset();

 private:
  explicit PlainModel(const ModelFile& file);

  ModelConfig config_;
  at::Tensor mask_;  // ones, if the encoder sees it
  PlainWeights encoder_, norm_;
  std::vector<PlainLayer> layers_;
  std::vector<PlainWeights> head_;
  at::Tensor y_;
};

}  // namespace elastane::libtorch
