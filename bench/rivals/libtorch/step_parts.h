// The parts that every block of a LibTorch step is made of: weights, products, norms.
//
// What makes a one-row step fast in LibTorch 1.13, and so how this folder is written. A mamba step of width 64, two
// layers, takes 13 µs like this and 93 written plainly (plain_model.h):
//   - every operation writes into a tensor that lives as long as the model; views are made once. An allocation costs
//     more than most of the operations.
//   - a product with a matrix is an addmv_out (sgemv) of a column-major matrix with β = 0 or 1. A row-major one
//     takes up to 1.3 of its time, at::linear 1.1 to 9 times, mkldnn_linear more than 7 times.
//   - at::cpu::f instead of at::f goes past the dispatcher: 6 % of a step.
//   - what is constant is folded: norm weights into matrices, matrices into each other.
//   - arithmetic is LibTorch's; bytes that only move (a bias that a sum starts from) are copied with memcpy.
// Not used: iterators kept from step to step (0.03 instead of 0.2 µs per operation); their kernels are not part of the
// library's interface.
#pragma once

#include <ATen/ATen.h>
#include <ATen/CPUFunctions.h>

#include <map>
#include <string>

#include "elastane/core/math/kernels.h"
#include "elastane/io/model_file.h"

namespace elastane::libtorch {

// what both models here can step: no normaliser, blocks of mamba, s4d, gru or selective, tensors that fit the
// configuration
Status check_model(const ModelFile& file, const std::string& source);

// the file's tensors by name; matrices of a bfloat16 model are rounded as the engine rounds them
class Weights {
 public:
  explicit Weights(const ModelFile& file);
  at::Tensor operator()(const std::string& name) const { return tensors_.at(name); }
  bool holds(const std::string& name) const { return tensors_.contains(name); }

 private:
  std::map<std::string, at::Tensor> tensors_;
};

// the same matrix, its columns contiguous: the layout that every product below wants
inline at::Tensor column_major(const at::Tensor& w) { return w.t().contiguous().t(); }

// y = αWx
inline void product(const at::Tensor& w, const at::Tensor& x, at::Tensor& y, float alpha = 1) {
  at::cpu::addmv_out(y, y, w, x, 0, alpha);
}

// y ← y + αWx
inline void accumulate(const at::Tensor& w, const at::Tensor& x, at::Tensor& y, float alpha = 1) {
  at::cpu::addmv_out(y, y, w, x, 1, alpha);
}

// to ← from, both contiguous and of one size
void assign(const at::Tensor& from, at::Tensor& to);

// y = f(x); y may be x, and for Activation::none has to be
void activate(Activation kind, const at::Tensor& x, at::Tensor& y);

// u = scale·v. A product takes the scale as its α, for nothing.
struct Scaled {
  at::Tensor v;
  float scale = 1;
};

// One norm of the residual stream h. The weight of an rms norm is not applied here: fold it into what multiplies u.
class NormStep {
 public:
  NormStep(Norm kind, const Weights& weights, const std::string& prefix, const at::Tensor& h);

  // w with the norm's weight folded into its last dimension
  at::Tensor fold(const at::Tensor& w) const { return kind_ == Norm::rms ? w * weight_ : w; }

  const Scaled& operator()();

 private:
  float scale_of(const at::Tensor& row, const at::Tensor& x);  // 1/√(mean x² + ε)

  Norm kind_;
  at::Tensor h_, h_row_;                 // (W), and the same as (1 x W)
  at::Tensor weight_, bias_, averages_;  // averages: 1/W, W times
  at::Tensor mean_, squares_;            // (1)
  at::Tensor centred_, centred_row_;
  Scaled u_;
};

}  // namespace elastane::libtorch
