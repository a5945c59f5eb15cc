// Twin of elastane/core/backbone/recursion.h.   State: h of the last step, (batch, hidden) or (batch, hidden, cells); not
// a latent, and not part of the graph: only where the iteration starts.
//
// The gradient is that of the fixed point: w = Jᵀw + ȳ is solved by the same iteration (`implicit`). A short unrolled
// graph behind the converged point is the cheap option, and unrolling from the start serves forms that do not converge.
#include "elastane/core/backbone/recursion.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>

#include "elastane/train/block.h"

namespace elastane::train {
namespace {

using at::Tensor;

constexpr int kReadSteps = 32;      // of read, which has derivatives of any order
constexpr int kAdjointSteps = 400;  // at most

// what an iteration takes besides h
struct Drive {
  Tensor input;  // flat: λ^H Bu + b₂; cells: I
  Tensor gate;   // cells: G
};

// curves that reach 0 and ±1 exactly (core/backbone/recursion.h)
Tensor stretched(const Tensor& x) { return (1.2 * at::sigmoid(x) - 0.1).clamp(0, 1); }

class RecursionTwin : public Block {
 public:
  RecursionTwin(const RecursionConfig& config, int width, Scope weights) : c_(config), w_(std::move(weights)) {
    flat_ = c_.shape == RecursionShape::flat;
    cells_ = flat_ ? 1 : c_.rows * c_.cols;
    features_ = width / cells_;
    hidden_ = w_["input.weight"].size(0);
  }

  BlockState start(std::int64_t batch) const override {
    std::vector<std::int64_t> shape = {batch, hidden_};
    if (!flat_) shape.push_back(cells_);
    return {at::zeros(shape, w_["input.weight"].options().requires_grad(false))};
  }
  int latents() const override { return 0; }

  Tensor forward(const Tensor& u, const Steps& steps, BlockState& state) const override {
    std::vector<Tensor> o;
    for (const Tensor& now : u.unbind(1)) {
      const Tensor from = c_.start == RecursionStart::warm ? state[0] : at::zeros_like(state[0]);
      const Tensor h = solve(drive(now), from, steps.recursion);
      state[0] = h.detach();
      o.push_back(read_out(h));
    }
    return at::stack(o, 1);
  }

  Tensor read(const Tensor& u, const Steps&, const BlockState& state) const override {
    const bool literal = c_.form == RecursionForm::literal;
    const int steps = literal ? c_.depth : std::max(kReadSteps, c_.depth);
    return read_out(unrolled(drive(u), literal ? at::zeros_like(state[0]) : state[0], steps));
  }

  void constrain() const override {
    if (!flat_ || c_.form == RecursionForm::literal) return;
    const at::NoGradGuard guard;
    shrink("up.weight", 1 / kGeluSlope);
    shrink("down.weight", c_.lipschitz);
  }

 private:
  // Cuts singular values that are too large. To scale the whole matrix instead would shrink all the others with the
  // largest one, step by step, until the map is nearly linear
  void shrink(const char* name, double most) const {
    Tensor w = w_[name];
    most *= 1 - 1e-6;
    const auto [u, s, v] = at::linalg_svd(w.detach(), /*full_matrices=*/false);
    if (s.max().item<double>() <= most) return;
    w.copy_(at::matmul(u * s.clamp_max(most), v));
    const double left = at::linalg_svdvals(w.detach()).max().item<double>();  // rounding
    if (left > most) w.mul_(most / left);
  }

  Tensor lambda() const {
    const Tensor l = w_["lambda"];
    return c_.form == RecursionForm::damped ? at::sigmoid(l) : at::exp(l);
  }

  Drive drive(const Tensor& u) const {
    if (flat_) {
      const Tensor input = at::linear(u, w_["input.weight"]);
      return {
          c_.form == RecursionForm::contraction ? input + w_["offset"] : lambda().pow(c_.hurst) * input + w_["offset"],
          {}};
    }
    const Tensor x = u.view({u.size(0), cells_, features_});
    const Tensor i = at::linear(x, w_["input.weight"], w_["input.bias"]).transpose(1, 2);
    const Tensor g = at::linear(x, w_["gate.weight"], w_["gate.bias"]).transpose(1, 2);
    if (c_.shape == RecursionShape::grid) return {stretched(4 * i - 2), stretched(4 * g)};
    const Tensor t = at::tanh(i);
    return {(t - t.clamp(-kDeadZone, kDeadZone)) / (1 - kDeadZone), (1.1 * at::tanh(2 * g)).clamp(-1, 1)};
  }

  Tensor phi(const Tensor& h, const Drive& d) const {
    if (flat_) {
      return at::linear(at::gelu(at::linear(h, w_["up.weight"], w_["up.bias"])), w_["down.weight"]) + d.input;
    }
    const Tensor mix = c_.lipschitz * (1 - 1e-6) * at::softmax(kCellSharpness * w_["mix.logits"], 1);
    if (c_.shape == RecursionShape::grid) {
      const Tensor passed = d.gate * at::matmul(mix, at::cat({h, neighbours(h)}, 1));
      return at::maximum(d.input, passed);
    }
    const Tensor padded = at::constant_pad_nd(h, {1, 1});
    const Tensor left = padded.narrow(2, 0, cells_), right = padded.narrow(2, 2, cells_);
    return d.input + d.gate * at::matmul(mix * w_["mix.signs"].clamp(-1, 1), at::cat({h, left, right}, 1));
  }

  // the largest of the four
  Tensor neighbours(const Tensor& h) const {
    const Tensor p = at::constant_pad_nd(h.view({h.size(0), hidden_, c_.rows, c_.cols}), {1, 1, 1, 1});
    const auto at = [&](int row, int col) { return p.narrow(2, row, c_.rows).narrow(3, col, c_.cols); };
    return at::maximum(at::maximum(at(0, 1), at(2, 1)), at::maximum(at(1, 0), at(1, 2))).flatten(2);
  }

  Tensor iterate(const Tensor& h, const Drive& d) const {
    const Tensor next = phi(h, d);
    if (c_.form == RecursionForm::contraction) return next;
    const Tensor l = lambda();
    return c_.form == RecursionForm::damped ? (1 - l) * h + l * next : h + l * next;
  }

  Tensor unrolled(const Drive& d, Tensor h, int steps) const {
    for (int k = 0; k < steps; ++k) h = iterate(h, d);
    return h;
  }

  // L of an iteration, by its declared constant, which bounds that of the weights
  double lipschitz() const {
    if (c_.form == RecursionForm::contraction) return measured();
    const double l = lambda().item<double>();
    return 1 - l + l * measured();
  }
  // computed again when an optimiser has moved the weights
  double measured() const {
    if (!flat_) return c_.lipschitz;
    const std::int64_t version = w_["up.weight"]._version() + w_["down.weight"]._version();
    if (version == measured_at_) return measured_;
    const at::NoGradGuard guard;
    measured_at_ = version;
    measured_ = kGeluSlope * at::linalg_svdvals(w_["up.weight"]).max().item<double>() *
                at::linalg_svdvals(w_["down.weight"]).max().item<double>();
    return measured_;
  }

  // as the engine iterates: every stream stops by its own certificate
  Tensor converged(const Drive& drive, Tensor h) const {
    const at::NoGradGuard guard;
    const Drive d{drive.input.detach(), drive.gate.defined() ? drive.gate.detach() : Tensor()};
    const double l = lipschitz();
    Tensor live = at::ones({h.size(0)}, at::kBool);
    for (int k = 0; k < c_.depth; ++k) {
      const Tensor next = iterate(h, d);
      std::vector<std::int64_t> shape(static_cast<std::size_t>(h.dim()), 1);
      shape[0] = -1;
      const Tensor change = (next - h).flatten(1);
      h = at::where(live.view(shape), next, h);
      if (c_.halt != Halt::certificate || !(l < 1)) continue;
      const Tensor moved = flat_ ? change.square().sum(1).sqrt() : change.abs().amax(1);
      const Tensor size = flat_ ? next.flatten(1).square().sum(1).sqrt() : next.flatten(1).abs().amax(1);
      live = live.logical_and((l * moved + 1e-6 * size) / (1 - l) > c_.tolerance);
      if (!live.any().item<bool>()) break;
    }
    return h;
  }

  Tensor solve(const Drive& d, const Tensor& from, const RecursionGradient& gradient) const {
    if (c_.form == RecursionForm::literal) return unrolled(d, at::zeros_like(from), c_.depth);
    if (gradient.from_start) return unrolled(d, from, gradient.unrolled);
    const Tensor h = converged(d, from.detach());
    if (!at::GradMode::is_enabled()) return h;
    if (gradient.unrolled > 0) return unrolled(d, h, gradient.unrolled);
    return implicit(d, h);
  }

  // value and gradient of the fixed point: the adjoint is solved for when it arrives
  Tensor implicit(const Drive& d, const Tensor& h) const {
    const Tensor at_point = h.detach().clone().requires_grad_(true);
    const Drive fixed{d.input.detach(), d.gate.defined() ? d.gate.detach() : Tensor()};
    const Tensor step = iterate(at_point, fixed);
    Tensor out = iterate(h.detach(), d);
    if (!out.requires_grad()) return out;
    out.register_hook([step, at_point](const Tensor& g) {
      Tensor w = g;
      for (int k = 0; k < kAdjointSteps; ++k) {
        const Tensor next = g + torch::autograd::grad({step}, {at_point}, {w}, /*retain_graph=*/true)[0];
        const bool settled = (next - w).abs().max().item<double>() <= 1e-8 * (1e-30 + next.abs().max().item<double>());
        w = next;
        if (settled) break;
      }
      return w;
    });
    return out;
  }

  Tensor read_out(const Tensor& h) const {
    if (flat_) return h;
    const Tensor soft = h / (h.abs() + w_["soften"].exp().unsqueeze(1));
    const Tensor x = at::cat({h, soft}, 1).transpose(1, 2);
    const Tensor units = at::relu(at::linear(x, w_["read.0.weight"], w_["read.0.bias"]));
    return at::linear(units, w_["read.1.weight"], w_["read.1.bias"]).flatten(1);
  }

  RecursionConfig c_;
  Scope w_;
  bool flat_ = true;
  mutable std::int64_t measured_at_ = -1;
  mutable double measured_ = 1;
  std::int64_t cells_ = 1, features_ = 1, hidden_ = 1;
};

}  // namespace

std::unique_ptr<Block> twin(const RecursionConfig& config, int width, Scope weights) {
  return std::make_unique<RecursionTwin>(config, width, std::move(weights));
}

}  // namespace elastane::train
