// Tests of elastane/core/decoder/head.cpp: layers with an activation between them.
#include "elastane/core/decoder/head.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/models.h"

namespace elastane {
namespace {

// a residual block that adds nothing: the head sees the encoded input
Model head_model(const std::vector<int>& hidden, std::vector<Tensor>& tensors) {
  ModelConfig config{.inputs = 3, .outputs = 2, .width = 5, .norm = Norm::none};
  config.blocks = {{.kind = MlpConfig{.hidden = 4}}};
  config.head = {.hidden = hidden, .activation = Activation::tanh};
  tensors = tensors_of(config);
  for (Tensor& tensor : tensors) {
    if (tensor.name.find(".down.") != std::string::npos) std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
  }
  return Model::create(config, tensors, {.isa = test_isa()}).value();
}

std::vector<double> layer(const std::vector<Tensor>& tensors, const std::string& name, const std::vector<double>& x) {
  const auto values = [&](const std::string& of) {
    for (const Tensor& tensor : tensors) {
      if (tensor.name == name + of) return tensor.values;
    }
    return std::vector<float>();
  };
  const std::vector<float> weight = values("weight"), bias = values("bias");
  std::vector<double> y(bias.begin(), bias.end());
  for (std::size_t r = 0; r < y.size(); ++r) {
    for (std::size_t c = 0; c < x.size(); ++c) y[r] += static_cast<double>(weight[r * x.size() + c]) * x[c];
  }
  return y;
}

TEST(Head, AppliesItsLayersInTurn) {
  for (const std::vector<int>& hidden : {std::vector<int>{}, {7}, {7, 20}}) {
    std::vector<Tensor> tensors;
    Stream stream(head_model(hidden, tensors));
    stream.advance(std::vector{0.5F, -1.0F, 2.0F});
    std::vector<double> h = layer(tensors, "encoder.", {0.5, -1, 2});
    for (std::size_t k = 0; k <= hidden.size(); ++k) {
      h = layer(tensors, "head." + std::to_string(k) + ".", h);
      for (double& value : h) value = k < hidden.size() ? std::tanh(value) : value;
    }
    for (std::size_t j = 0; j < h.size(); ++j) EXPECT_NEAR(stream.output()[j], h[j], 1e-5) << hidden.size();
  }
}

TEST(Head, AsksForScratchOfEveryLayer) {
  Binder binder(Precision::float32);
  const Head head = bind(HeadConfig{.hidden = {7, 20}}, 5, 2, binder);
  EXPECT_EQ(head.layers.size(), 3u);
  EXPECT_GE(scratch_floats(head, 4), 4u * (padded(7) + padded(20)));
}

}  // namespace
}  // namespace elastane
