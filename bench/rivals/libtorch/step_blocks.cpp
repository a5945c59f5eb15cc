#include "bench/rivals/libtorch/step_blocks.h"

namespace elastane::libtorch {
namespace {

// state at reset: h0 of the file, or zeros
at::Tensor start_of(const Weights& weights, const std::string& prefix, at::IntArrayRef shape) {
  return weights.holds(prefix + "h0") ? weights(prefix + "h0") : at::zeros(shape);
}

// the weights of the convolution in the order of the ring's slots, if the newest input is in slot `newest`
at::Tensor turned(const at::Tensor& weight, int newest) {
  const auto taps = static_cast<int>(weight.size(2));
  std::vector<at::Tensor> slots;
  for (int slot = 0; slot < taps; ++slot) {
    const int age = (newest - slot + taps) % taps;
    slots.push_back(weight.select(2, taps - 1 - age).flatten());
  }
  return at::stack(slots);
}

}  // namespace

// --- mamba

MambaStep::MambaStep(const MambaConfig& config, const Weights& weights, const std::string& prefix,
                     const NormStep& norm) {
  in_proj_ = column_major(norm.fold(weights(prefix + "in_proj.weight")));
  x_proj_ = column_major(weights(prefix + "x_proj.weight"));
  dt_proj_ = column_major(weights(prefix + "dt_proj.weight"));
  dt_bias_ = weights(prefix + "dt_proj.bias");
  a_ = weights(prefix + "A_log").to(at::kDouble).exp().neg().to(at::kFloat).t().contiguous();
  const auto inner = dt_bias_.numel(), rank = dt_proj_.size(1), states = a_.size(0);

  conv_bias_ = weights(prefix + "conv1d.bias");
  taps_ = at::ones({config.conv});
  ring_ = at::zeros({config.conv, inner});
  for (int slot = 0; slot < config.conv; ++slot) {
    conv_weight_.push_back(turned(weights(prefix + "conv1d.weight"), slot));
    ring_slot_.push_back(ring_.select(0, slot));
  }
  terms_ = at::zeros_like(ring_);
  terms_t_ = terms_.t();

  start_ = start_of(weights, prefix, {inner, states}).t().contiguous();
  s_ = start_.clone();
  s_t_ = s_.t();
  decay_ = at::zeros_like(s_);

  xz_ = at::zeros({2 * inner});
  x_ = xz_.narrow(0, 0, inner);
  z_ = xz_.narrow(0, inner, inner);
  dbc_ = at::zeros({rank + 2 * states});
  delta_in_ = dbc_.narrow(0, 0, rank);
  b_col_ = dbc_.narrow(0, rank, states).view({-1, 1});
  c_ = dbc_.narrow(0, rank + states, states);
  gains_ = at::stack({at::zeros({inner}), weights(prefix + "D")});
  delta_ = gains_.select(0, 0);
  driven_ = at::zeros({2, inner});
  drive_row_ = driven_.narrow(0, 0, 1);
  y_ = driven_.select(0, 1);
}

// x ← conv(x) + b. The ring's slots stay where they are and the weights turn: at::conv1d takes 26 µs, a rolled window
// 7, these two operations 0.4. The sum over taps is a product with ones: at::sum takes 0.9 µs, this 0.1.
void MambaStep::convolve() {
  newest_ = (newest_ + 1) % ring_slot_.size();
  assign(x_, ring_slot_[newest_]);
  at::cpu::mul_out(terms_, ring_, conv_weight_[newest_]);
  assign(conv_bias_, x_);
  accumulate(terms_t_, taps_, x_);
}

const at::Tensor& MambaStep::step(const Scaled& u) {
  product(in_proj_, u.v, xz_, u.scale);  // [x; z] = in_proj u
  convolve();                            // x ← conv(x) + b
  at::cpu::silu_(xz_);                   // x ← silu(x), z ← silu(z), at once
  product(x_proj_, x_, dbc_);            // [δ; B; C] = x_proj x
  assign(dt_bias_, delta_);              // Δ = softplus(dt_proj δ + b)
  accumulate(dt_proj_, delta_in_, delta_);
  at::cpu::softplus_out(delta_, delta_);
  at::cpu::mul_out(decay_, a_, delta_);  // e^(ΔA)
  at::cpu::exp_(decay_);
  at::cpu::mul_out(driven_, gains_, x_);  // [Δ ⊙ x; D ⊙ x]
  // the rank-one update as a product of matrices: a broadcast addcmul_ takes 1.3 to 2 times as long, addr_ 2 to 4 times
  at::cpu::mul_(s_, decay_);                       // s ← e^(ΔA)s
  at::cpu::addmm_out(s_, s_, b_col_, drive_row_);  // s ← s + B(Δ ⊙ x)
  accumulate(s_t_, c_, y_);                        // y = C·s + D ⊙ x
  at::cpu::mul_(y_, z_);                           // y ← y ⊙ silu(z)
  return y_;
}

void MambaStep::reset() {
  assign(start_, s_);
  ring_.zero_();
  newest_ = 0;
}

// --- s4d

S4dStep::Planes::Planes(const at::Tensor& start)
    : all(at::cat({start, start.narrow(0, 0, 1)})),
      state(all.narrow(0, 0, 2)),
      exchanged(all.narrow(0, 1, 2)),
      re(all.select(0, 0)),
      re_copy(all.select(0, 2)),
      re_t(re.t()) {}

S4dStep::S4dStep(const S4dConfig& config, const Weights& weights, const std::string& prefix, const NormStep& norm) {
  // [pair][channel], in complex double
  const auto complex = [](const at::Tensor& pairs) {
    return at::view_as_complex(pairs.to(at::kDouble).contiguous()).t();
  };
  const auto parts = [](const at::Tensor& z) { return at::stack({at::real(z), at::imag(z)}).to(at::kFloat); };
  const at::Tensor real = weights(prefix + "log_A_real").to(at::kDouble).exp().neg();
  const at::Tensor a = complex(at::stack({real, weights(prefix + "A_imag").to(at::kDouble)}, -1));
  const at::Tensor dt = weights(prefix + "log_dt").to(at::kDouble).exp();
  const at::Tensor c = 2 * complex(weights(prefix + "C"));

  const at::Tensor half = a * (dt / 2);
  const bool bilinear = config.discretisation == Discretisation::bilinear;
  const at::Tensor e_bar = bilinear ? a * dt / (1 - half) : at::exp(a * dt) - 1;
  const at::Tensor b_bar = e_bar / a;

  const at::Tensor e = parts(e_bar);
  e_re_ = at::stack({e[0], e[0]});
  e_im_ = at::stack({-e[1], e[1]});
  b_ = norm.fold(parts(c * b_bar));
  skip_ = norm.fold(weights(prefix + "D"));

  const auto pairs = a.size(0), width = a.size(1);
  start_ = parts(c * complex(start_of(weights, prefix, {width, pairs, 2})));
  planes_ = {Planes(start_), Planes(start_)};
  ones_ = at::ones({pairs});
  u_ = at::zeros({width});
  o_ = at::zeros({width});
  scale_ = at::zeros({});
}

// In real parts, because with complex tensors the same step takes 4 to 6 times as long. With Ā instead of Ē it would
// take 2 to 3 % less, but drift from the engine's outputs by 4e-5 instead of 8e-6.
const at::Tensor& S4dStep::step(const Scaled& given) {
  *scale_.data_ptr<float>() = given.scale;
  if (given.scale != 1) at::cpu::mul_out(u_, given.v, scale_);
  const at::Tensor& u = given.scale != 1 ? u_ : given.v;

  const Planes& old = planes_[now_];
  now_ = 1 - now_;
  Planes& s = planes_[now_];
  at::cpu::addcmul_out(s.state, old.state, b_, u);   // s ← s + B̄u
  at::cpu::addcmul_(s.state, old.state, e_re_);      //     + Re Ē·s
  at::cpu::addcmul_(s.state, old.exchanged, e_im_);  //     + i·Im Ē·s
  assign(s.re, s.re_copy);
  at::cpu::mul_out(o_, skip_, u);  // o = D ⊙ u
  accumulate(s.re_t, ones_, o_);   //     + Σ Re s
  return o_;
}

void S4dStep::reset() { planes_ = {Planes(start_), Planes(start_)}; }

// --- gru

GruStep::GruStep(const GruConfig&, const Weights& weights, const std::string& prefix, const NormStep& norm) {
  const auto gates = [&](const char* name) { return weights(prefix + name).chunk(3); };  // r, z, n
  const auto w = gates("weight_ih_l0"), b = gates("bias_ih_l0"), b_state = gates("bias_hh_l0");
  input_ = column_major(norm.fold(at::cat({w[2], w[0], w[1]})));
  recurrent_ = column_major(weights(prefix + "weight_hh_l0"));
  bias_ = at::cat({b[2], b[0] + b_state[0], b[1] + b_state[1], b_state[2]});

  const auto size = recurrent_.size(1);
  start_ = start_of(weights, prefix, {size});
  h_ = start_.clone();
  gates_ = at::zeros({4 * size});
  from_input_ = gates_.narrow(0, 0, 3 * size);
  from_state_ = gates_.narrow(0, size, 3 * size);
  n_ = gates_.narrow(0, 0, size);
  r_ = gates_.narrow(0, size, size);
  z_ = gates_.narrow(0, 2 * size, size);
  rz_ = gates_.narrow(0, size, 2 * size);
  n_state_ = gates_.narrow(0, 3 * size, size);
}

// at::gru_cell takes 5 times as long at width 64, 1.6 times at 256; one product with [u; h] 1.1 to 1.4 times
const at::Tensor& GruStep::step(const Scaled& u) {
  assign(bias_, gates_);
  accumulate(input_, u.v, from_input_, u.scale);
  accumulate(recurrent_, h_, from_state_);
  at::cpu::sigmoid_(rz_);               // r, z
  at::cpu::addcmul_(n_, r_, n_state_);  // W_in u + b_in + r ⊙ (W_hn h + b_hn)
  at::cpu::tanh_(n_);                   // n
  at::cpu::lerp_out(h_, n_, h_, z_);    // h ← (1−z)n + zh
  return h_;
}

void GruStep::reset() { assign(start_, h_); }

// --- selective

SelectiveStep::SelectiveStep(const SelectiveConfig&, const Weights& weights, const std::string& prefix,
                             const NormStep& norm) {
  weight_ = column_major(norm.fold(at::cat({weights(prefix + "delta.weight"), weights(prefix + "input.weight")})));
  bias_ = at::cat({weights(prefix + "delta.bias"), weights(prefix + "input.bias")});
  a_ = weights(prefix + "log_a").to(at::kDouble).exp().neg().to(at::kFloat);
  start_ = start_of(weights, prefix, a_.sizes());
  z_ = start_.clone();
  gates_ = at::zeros_like(bias_);
  keep_ = gates_.chunk(2)[0];
  drive_ = gates_.chunk(2)[1];
}

const at::Tensor& SelectiveStep::step(const Scaled& u) {
  assign(bias_, gates_);
  accumulate(weight_, u.v, gates_, u.scale);
  at::cpu::softplus_out(keep_, keep_);  // Δ = softplus(W_δ u + b_δ)
  at::cpu::mul_(keep_, a_);             // a = e^(−Δ ⊙ exp(log_a))
  at::cpu::exp_(keep_);
  at::cpu::lerp_out(z_, drive_, z_, keep_);  // z ← a ⊙ z + (1−a) ⊙ (W_B u + b_B)
  return z_;
}

void SelectiveStep::reset() { assign(start_, z_); }

}  // namespace elastane::libtorch
