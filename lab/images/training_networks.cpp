#include "lab/images/training_networks.h"

#include <cmath>

#include "elastane/core/backbone/recursion.h"
#include "elastane/core/base/random.h"
#include "elastane/train/sequence_model.h"
#include "lab/images/classifier.h"

namespace elastane::images {
namespace {

using at::Tensor;

constexpr double kAtMost = 1 - 1e-4;  // share of a norm's limit that training starts with

// a model of the engine; its twin (elastane/train/backbone/recursion.cpp) holds the weights and keeps them contracting
class RecursionNetwork final : public DeepNetwork {
 public:
  RecursionNetwork(const Method& method, int features, int width, std::uint64_t seed)
      : method_(method),
        config_(classifier_config({.features = features,
                                   .width = width,
                                   .form = method.form(),
                                   .lipschitz = method.lipschitz,
                                   .hurst = method.hurst,
                                   .depth = method.depth})),
        twin_(train::SequenceModel::create(config_, random_tensors(config_, seed)).value()) {
    const at::NoGradGuard guard;
    if (method.form() != RecursionForm::literal) {
      widen("up.weight", 1 / kGeluSlope);
      widen("down.weight", method.lipschitz);
    }
    if (method.backbone == Backbone::tied) of("lambda").fill_(0);
  }

  std::vector<Tensor> states(const Tensor& x, int depth) const override {
    const train::Weights& w = twin_.weights();
    const Tensor u = at::linear(x, w["encoder.weight"], w["encoder.bias"]);
    const bool plain = method_.form() == RecursionForm::contraction;
    const Tensor l = plain ? Tensor() : gain();
    const Tensor input = at::linear(u, of("input.weight"));
    const Tensor drive = (plain ? input : l.pow(method_.hurst) * input) + of("offset");
    std::vector<Tensor> all;
    Tensor h = at::zeros_like(drive);
    for (int k = 0; k < depth; ++k) {
      const Tensor inner = at::gelu(at::linear(h, of("up.weight"), of("up.bias")));
      const Tensor next = at::linear(inner, of("down.weight")) + drive;
      h = plain ? next : method_.form() == RecursionForm::damped ? (1 - l) * h + l * next : h + l * next;
      all.push_back(h);
    }
    return all;
  }
  Tensor logits(const Tensor& h) const override {
    return at::linear(h, twin_.weights()["head.0.weight"], twin_.weights()["head.0.bias"]);
  }
  std::vector<train::NamedTensor> leaves() const override {
    std::vector<train::NamedTensor> all = twin_.weights().all();
    if (method_.backbone == Backbone::tied) {
      std::erase_if(all, [](const train::NamedTensor& leaf) { return leaf.name.ends_with("lambda"); });
    }
    return all;
  }
  void constrain() const override { twin_.constrain(); }
  std::optional<double> lambda() const override {
    if (method_.form() == RecursionForm::contraction) return {};
    return gain().item<double>();
  }
  std::optional<ModelFile> file() const override {
    return ModelFile{.config = config_, .tensors = twin_.weights().tensors(), .metadata = {}};
  }

 private:
  Tensor of(const char* name) const { return twin_.weights()["blocks.0.recursion." + std::string(name)]; }
  Tensor gain() const {
    return method_.form() == RecursionForm::damped ? at::sigmoid(of("lambda")) : at::exp(of("lambda"));
  }
  // all singular values to the limit
  void widen(const char* name, double most) const {
    Tensor w = of(name);
    const auto [u, s, v] = at::linalg_svd(w, /*full_matrices=*/false);
    w.copy_(kAtMost * most * at::matmul(u, v));
  }

  Method method_;
  ModelConfig config_;
  train::SequenceModel twin_;
};

// h ← h + W₂ gelu(W₁h + b₁), other weights in every layer
class UntiedNetwork final : public DeepNetwork {
 public:
  UntiedNetwork(int features, int width, int depth, std::uint64_t seed) : random_(seed, 41ULL << 48U) {
    encode_ = leaf("encode", {width, features}, features);
    encode_bias_ = leaf("encode.bias", {width}, features);
    for (int k = 0; k < depth; ++k) {
      const std::string layer = "layers." + std::to_string(k);
      layers_.push_back({leaf(layer + ".up", {width, width}, width), leaf(layer + ".bias", {width}, width),
                         leaf(layer + ".down", {width, width}, width)});
    }
    head_ = leaf("head", {kClasses, width}, width);
    head_bias_ = leaf("head.bias", {kClasses}, width);
  }
  std::vector<Tensor> states(const Tensor& x, int depth) const override {
    std::vector<Tensor> all;
    Tensor h = at::linear(x, encode_, encode_bias_);
    for (int k = 0; k < depth; ++k) {
      const Layer& layer = layers_[static_cast<std::size_t>(k)];
      h = h + at::linear(at::gelu(at::linear(h, layer.up, layer.bias)), layer.down);
      all.push_back(h);
    }
    return all;
  }
  Tensor logits(const Tensor& h) const override { return at::linear(h, head_, head_bias_); }
  std::vector<train::NamedTensor> leaves() const override { return leaves_; }
  bool can_be_deeper() const override { return false; }

 private:
  struct Layer {
    Tensor up, bias, down;
  };

  Tensor leaf(const std::string& name, at::IntArrayRef shape, int inputs) {
    Tensor t = at::empty(shape);
    const double bound = 1 / std::sqrt(static_cast<double>(inputs));
    float* values = t.data_ptr<float>();
    for (std::int64_t i = 0; i < t.numel(); ++i) values[i] = static_cast<float>(random_.uniform(-bound, bound));
    leaves_.push_back({name, t.requires_grad_(true)});
    return t;
  }

  Random random_;
  std::vector<train::NamedTensor> leaves_;
  Tensor encode_, encode_bias_, head_, head_bias_;
  std::vector<Layer> layers_;
};

}  // namespace

std::unique_ptr<DeepNetwork> make_network(const Method& method, int features, int width, std::uint64_t seed) {
  if (method.backbone == Backbone::untied) {
    return std::make_unique<UntiedNetwork>(features, width, method.depth, seed);
  }
  return std::make_unique<RecursionNetwork>(method, features, width, seed);
}

}  // namespace elastane::images
