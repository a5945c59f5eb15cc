// The corrected step again, written by hand from the public operations: a fresh tensor for each result, in the
// order of the equations. TunedCorrect is the same step made as fast as LibTorch allows.
#pragma once

#include <span>
#include <vector>

#include "bench/rivals/libtorch/correct_rules.h"
#include "bench/rivals/libtorch/step_parts.h"

namespace elastane::libtorch {

class PlainCorrect {
 public:
  PlainCorrect(const ModelFile& file, const CorrectOptions& options);

  // z ← f(z, x), then one correction towards the target; was it accepted?
  bool step(std::span<const float> x, std::span<const float> target);
  std::span<const float> output() const { return {y_.data_ptr<float>(), static_cast<std::size_t>(y_.numel())}; }
  void reset();

 private:
  // what is read from a latent, with the hidden layer that derivatives need
  struct Read {
    at::Tensor hidden, y;
  };
  Read read(const at::Tensor& z) const;
  at::Tensor roll(const at::Tensor& z) const { return drive_ + keep_ * (z - drive_); }
  Losses losses(const at::Tensor& z, const at::Tensor& y, const at::Tensor& target) const;
  Line model_loss(const at::Tensor& v, double damping, const at::Tensor& target) const;

  Weights weights_;
  std::string block_ = "blocks.0.selective.";
  at::Tensor a_, w1_, b1_, w2_, b2_;
  int horizon_;
  double weight_;  // 1/σ²
  CorrectRules rules_;
  at::Tensor z_, y_, keep_, drive_;
};

}  // namespace elastane::libtorch
