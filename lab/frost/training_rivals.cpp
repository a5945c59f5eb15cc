#include "lab/frost/training_rivals.h"

#include <cmath>
#include <stdexcept>

#include "elastane/core/backbone/recursion.h"
#include "elastane/core/base/random.h"

namespace elastane::frost {
namespace {

using at::Tensor;

constexpr int kChannels = 8, kConvolved = 16, kLayers = 16;

Tensor uniform(Random& random, at::IntArrayRef shape, double bound) {
  Tensor t = at::empty(shape);
  float* values = t.data_ptr<float>();
  for (std::int64_t i = 0; i < t.numel(); ++i) values[i] = static_cast<float>(random.uniform(-bound, bound));
  return t;
}

Tensor stretched(const Tensor& x) { return (1.2 * at::sigmoid(x) - 0.1).clamp(0, 1); }

// the recursion of core/backbone/recursion.h with free mixing weights, the same in every layer or not
class FreeCells final : public Rival {
 public:
  FreeCells(Task task, int depth, bool tied, std::uint64_t seed) : task_(task), depth_(depth), tied_(tied) {
    Random random(seed, 31ULL << 48U);
    const int taps = task == Task::grid ? 2 : 3, count = taps * kChannels;
    inject_ = leaf("input.weight", uniform(random, {kChannels, 2}, 0.7));
    inject_bias_ = leaf("input.bias", uniform(random, {kChannels}, 0.3));
    gate_ = leaf("gate.weight", uniform(random, {kChannels, 2}, 0.7));
    gate_bias_ = leaf("gate.bias", uniform(random, {kChannels}, 0.3));
    for (int k = 0; k < (tied ? 1 : depth); ++k) {
      Tensor mix = uniform(random, {kChannels, count}, 0.02);
      for (int c = 0; c < kChannels; ++c) mix[c][kChannels + c] += 0.95;  // what a recursion starts with
      mix_.push_back(leaf("mix." + std::to_string(k), mix));
    }
    soften_ = leaf("soften", at::full({kChannels}, std::log(0.02F)));
    up_ = leaf("read.0.weight", uniform(random, {kCellHidden, 2 * kChannels}, 0.25));
    up_bias_ = leaf("read.0.bias", uniform(random, {kCellHidden}, 0.25));
    down_ = leaf("read.1.weight", uniform(random, {2, kCellHidden}, 0.25));
    down_bias_ = leaf("read.1.bias", uniform(random, {2}, 0.25));
  }
  int depth() const override { return depth_; }
  double rate() const override { return cells_rate(task_); }
  bool can_be_deeper() const override { return tied_; }

  Tensor logits(const Tensor& x, int depth) const override {
    const std::int64_t batch = x.size(0), rows = x.size(1), cols = x.size(2), cells = rows * cols;
    const bool grid = task_ == Task::grid;
    const Tensor flat = x.view({batch, cells, 2});
    Tensor inject = at::linear(flat, inject_, inject_bias_).transpose(1, 2);
    Tensor gate = at::linear(flat, gate_, gate_bias_).transpose(1, 2);
    gate = grid ? stretched(4 * gate) : (1.1 * at::tanh(2 * gate)).clamp(-1, 1);
    const Tensor t = at::tanh(inject);
    inject = grid ? stretched(4 * inject - 2) : (t - t.clamp(-kDeadZone, kDeadZone)) / (1 - kDeadZone);
    Tensor h = at::zeros({batch, kChannels, cells});
    for (int k = 0; k < depth; ++k) {
      const Tensor passed = gate * at::matmul(mix_[tied_ ? 0 : static_cast<std::size_t>(k)], seen(h, rows, cols));
      h = grid ? at::maximum(inject, passed) : inject + passed;
    }
    const Tensor soft = h / (h.abs() + soften_.exp().unsqueeze(1));
    const Tensor units = at::relu(at::linear(at::cat({h, soft}, 1).transpose(1, 2), up_, up_bias_));
    return at::linear(units, down_, down_bias_);
  }

 private:
  Tensor seen(const Tensor& h, std::int64_t rows, std::int64_t cols) const {
    if (task_ == Task::parity) {
      const Tensor p = at::constant_pad_nd(h, {1, 1});
      return at::cat({h, p.narrow(2, 0, cols), p.narrow(2, 2, cols)}, 1);
    }
    const Tensor p = at::constant_pad_nd(h.view({h.size(0), kChannels, rows, cols}), {1, 1, 1, 1});
    const auto at = [&](int row, int col) { return p.narrow(2, row, rows).narrow(3, col, cols); };
    const Tensor most = at::maximum(at::maximum(at(0, 1), at(2, 1)), at::maximum(at(1, 0), at(1, 2)));
    return at::cat({h, most.flatten(2)}, 1);
  }

  Task task_;
  int depth_;
  bool tied_;
  Tensor inject_, inject_bias_, gate_, gate_bias_, soften_, up_, up_bias_, down_, down_bias_;
  std::vector<Tensor> mix_;
};

// layers of two convolutions with a residual
class Convolved final : public Rival {
 public:
  Convolved(const std::string& method, Task task, std::uint64_t seed)
      : tied_(method != "untied"), literal_(method == "literal"), high_(task == Task::grid ? 3 : 1) {
    Random random(seed, 37ULL << 48U);
    const double bound = 1 / std::sqrt(3.0 * high_ * kConvolved);
    encode_ = leaf("encode", uniform(random, {kConvolved, 2, 1, 1}, 0.7));
    for (int k = 0; k < (tied_ ? 1 : kLayers); ++k) {
      first_.push_back(leaf("first." + std::to_string(k), uniform(random, {kConvolved, kConvolved, high_, 3}, bound)));
      second_.push_back(
          leaf("second." + std::to_string(k), uniform(random, {kConvolved, kConvolved, high_, 3}, bound)));
    }
    lambda_ = leaf("lambda", at::full({1}, std::log(0.5F)));
    up_ = leaf("up", uniform(random, {kConvolved, kConvolved}, 0.25));
    down_ = leaf("down", uniform(random, {2, kConvolved}, 0.25));
    bias_ = leaf("bias", at::zeros({2}));
  }
  int depth() const override { return kLayers; }
  double rate() const override { return 3e-3; }  // diverges at the rate of cells
  bool can_be_deeper() const override { return tied_; }

  Tensor logits(const Tensor& x, int depth) const override {
    const Tensor b = at::conv2d(x.permute({0, 3, 1, 2}), encode_);
    const std::int64_t pad = high_ / 2;
    Tensor h = literal_ ? at::zeros_like(b) : b;
    const Tensor lambda = lambda_.exp();
    for (int k = 0; k < depth; ++k) {
      const std::size_t at = tied_ ? 0 : static_cast<std::size_t>(k);
      const Tensor inner = at::gelu(at::conv2d(h, first_[at], {}, 1, {pad, 1}));
      const Tensor f = at::conv2d(inner, second_[at], {}, 1, {pad, 1});
      h = literal_ ? h + lambda * (f + lambda.pow(0.8) * b) : h + f + (tied_ ? b : at::zeros({1}));
    }
    const Tensor units = at::relu(at::linear(h.flatten(2).transpose(1, 2), up_));
    return at::linear(units, down_, bias_);
  }

 private:
  bool tied_, literal_;
  std::int64_t high_;
  Tensor encode_, lambda_, up_, down_, bias_;
  std::vector<Tensor> first_, second_;
};

}  // namespace

Tensor Rival::leaf(const std::string& name, Tensor start) {
  leaves_.push_back({name, start.detach().clone().requires_grad_(true)});
  return leaves_.back().value;
}

std::int64_t Rival::parameters() const {
  std::int64_t count = 0;
  for (const train::NamedTensor& each : leaves_) count += each.value.numel();
  return count;
}

std::unique_ptr<Rival> make_rival(const std::string& method, Task task, int depth, std::uint64_t seed) {
  if (method == "free") return std::make_unique<FreeCells>(task, depth, true, seed);
  if (method == "untied_maximum") return std::make_unique<FreeCells>(task, depth, false, seed);
  if (method == "untied" || method == "tied" || method == "literal") {
    return std::make_unique<Convolved>(method, task, seed);
  }
  throw std::runtime_error("[frost] unknown method \"" + method + "\"");
}

}  // namespace elastane::frost
