// One step of each kind of block, hand-written in LibTorch. docs/model_format.md has the equations; dt is 1 throughout.
//
// A block reads u = scale·v, advances its state and returns its read-out, which stays valid until the next step.
#pragma once

#include <array>
#include <vector>

#include "bench/rivals/libtorch/step_parts.h"

namespace elastane::libtorch {

class MambaStep {
 public:
  MambaStep(const MambaConfig& config, const Weights& weights, const std::string& prefix, const NormStep& norm);

  // (C·s + D ⊙ x) ⊙ silu(z): the read-out before out_proj, which MixStep takes on
  const at::Tensor& step(const Scaled& u);
  void reset();

 private:
  void convolve();

  at::Tensor in_proj_, x_proj_, dt_proj_, dt_bias_;
  at::Tensor a_;                         // A, [state][inner]
  at::Tensor conv_bias_, taps_;          // taps: as many ones
  std::vector<at::Tensor> conv_weight_;  // for each place of the newest input in the ring: [slot][inner]
  std::vector<at::Tensor> ring_slot_;    // views of ring_

  at::Tensor start_, s_;    // state, [state][inner]: channels side by side, so that broadcasts run along them
  at::Tensor s_t_;          // view of s_, column-major
  at::Tensor ring_;         // the last inputs of the convolution, [slot][inner]
  std::size_t newest_ = 0;  // slot

  at::Tensor xz_, x_, z_;                  // [x; z] and its halves
  at::Tensor terms_, terms_t_;             // w_k ⊙ x_{t−k}, [slot][inner]
  at::Tensor dbc_, delta_in_, b_col_, c_;  // [δ; B; C] and its parts, B as a column
  at::Tensor gains_, delta_;               // [Δ; D] and its first row
  at::Tensor driven_, drive_row_, y_;      // [Δ ⊙ x; D ⊙ x] and its rows
  at::Tensor decay_;                       // e^(ΔA), [state][inner]
};

class S4dStep {
 public:
  S4dStep(const S4dConfig& config, const Weights& weights, const std::string& prefix, const NormStep& norm);

  const at::Tensor& step(const Scaled& u);
  void reset();

 private:
  // The state, scaled by 2C so that the read-out is a plain sum, as planes [re, im, re]: planes 0–1 are the state,
  // planes 1–2 its parts exchanged. There are two, because a step needs the old one to the end.
  struct Planes {
    Planes() = default;
    explicit Planes(const at::Tensor& start);
    at::Tensor all, state, exchanged, re, re_copy;
    at::Tensor re_t;  // column-major
  };

  at::Tensor e_re_, e_im_;  // Ē = Ā − 1 as [Re Ē; Re Ē] and [−Im Ē; Im Ē]; Ā itself would round slow modes away
  at::Tensor b_, skip_;     // 2CB̄ as [re; im], and D; both with the norm's weight
  at::Tensor start_, ones_;
  std::array<Planes, 2> planes_;
  int now_ = 0;
  at::Tensor u_, scale_, o_;
};

class GruStep {
 public:
  GruStep(const GruConfig& config, const Weights& weights, const std::string& prefix, const NormStep& norm);

  const at::Tensor& step(const Scaled& u);
  void reset();

 private:
  at::Tensor input_, recurrent_;  // rows n, r, z and r, z, n
  at::Tensor bias_;               // of n from u; r; z; n from h
  at::Tensor start_, h_;
  at::Tensor gates_, from_input_, from_state_;  // [n; r; z; W_hn h] and what the two products write
  at::Tensor n_, r_, z_, rz_, n_state_;
};

class SelectiveStep {
 public:
  SelectiveStep(const SelectiveConfig& config, const Weights& weights, const std::string& prefix, const NormStep& norm);

  const at::Tensor& step(const Scaled& u);
  void reset();

 private:
  at::Tensor weight_, bias_;  // rows δ, B
  at::Tensor a_;              // −exp(log_a)
  at::Tensor start_, z_;
  at::Tensor gates_, keep_, drive_;  // [δ; W_B u + b_B] and its halves; the first becomes a
};

}  // namespace elastane::libtorch
