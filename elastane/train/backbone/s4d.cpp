// Twin of elastane/core/backbone/s4d.h.   State: s (batch, 2, pairs, width), real parts first.
#include "elastane/core/backbone/s4d.h"

#include "elastane/train/block.h"
#include "elastane/train/scan_function.h"

namespace elastane::train {
namespace {

using at::Tensor;

// a complex number as two real tensors; derivatives through real operations alone
struct Complex {
  Tensor re, im;
  Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  Complex operator/(const Complex& o) const {
    const Tensor norm = o.re.square() + o.im.square();
    return {(re * o.re + im * o.im) / norm, (im * o.re - re * o.im) / norm};
  }
};

class S4dTwin : public Block {
 public:
  S4dTwin(const S4dConfig& config, int width, Scope weights)
      : bilinear_(config.discretisation == Discretisation::bilinear),
        pairs_(config.state / 2),
        width_(width),
        w_(std::move(weights)) {}

  BlockState start(std::int64_t batch) const override {
    if (!w_.contains("h0")) return {at::zeros({batch, 2, pairs_, width_}, w_["D"].options())};
    return {planes(w_["h0"]).unsqueeze(0).expand({batch, -1, -1, -1})};
  }

  Tensor forward(const Tensor& u, const Steps& steps, BlockState& state) const override {
    // in double: float would lose the slow modes
    Tensor step = at::exp(w_["log_dt"].to(at::kDouble));                                         // (width)
    if (steps.dt.defined()) step = steps.dt.to(at::kDouble).unsqueeze(-1).unsqueeze(-1) * step;  // (B, L, 1, width)
    const Complex a = {-at::exp(w_["log_A_real"].to(at::kDouble)).t(), w_["A_imag"].to(at::kDouble).t()};
    const Complex e = grown({step * a.re, step * a.im});
    const Complex b = e / a;  // for both: see the core
    const auto planar = [&](const Complex& v) { return at::stack({v.re, v.im}, -3).to(u.scalar_type()); };
    const auto [y, end] = diagonal_scan(planar(e), planar(b), 2 * planes(w_["C"]), u, state[0]);
    state[0] = end;
    return y + w_["D"] * u;
  }

  Tensor read(const Tensor& u, const Steps&, const BlockState& state) const override {
    const Tensor c = 2 * planes(w_["C"]);
    const Tensor products = c * state[0];  // (batch, 2, pairs, width)
    return (products.select(1, 0) - products.select(1, 1)).sum(1) + w_["D"] * u;
  }

 private:
  // (width, pairs, 2) as files have it, to (2, pairs, width)
  static Tensor planes(const Tensor& stored) { return stored.permute({2, 1, 0}); }

  // Ē = Ā − 1 of z = ΔA
  Complex grown(const Complex& z) const {
    if (bilinear_) return z / Complex{1 - z.re / 2, -z.im / 2};
    const Tensor sine = at::sin(z.im / 2);
    return {at::expm1(z.re) * at::cos(z.im) - 2 * sine.square(), at::exp(z.re) * at::sin(z.im)};
  }

  bool bilinear_;
  int pairs_, width_;
  Scope w_;
};

}  // namespace

std::unique_ptr<Block> twin(const S4dConfig& config, int width, Scope weights) {
  return std::make_unique<S4dTwin>(config, width, std::move(weights));
}

}  // namespace elastane::train
