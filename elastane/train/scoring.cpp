#include "elastane/train/scoring.h"

#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

namespace elastane::train {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::vector<double> numbers_of(const Tensor& t) {
  const Tensor whole = t.detach().contiguous();
  return {whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
}

ScoringNetwork network_of(const Tensor& w, const Tensor& b, const Tensor& v, const Tensor& c) {
  return {.hidden_weight = numbers_of(w),
          .hidden_bias = numbers_of(b),
          .score_weight = numbers_of(v),
          .score_bias = numbers_of(c)};
}

// the run-time network row by row, and its derivatives
struct Scores : torch::autograd::Function<Scores> {
  static Tensor forward(AutogradContext* context, const Tensor& features, const Tensor& w, const Tensor& b,
                        const Tensor& v, const Tensor& c) {
    const ScoringNetwork network = network_of(w, b, v, c);
    const Tensor f = features.contiguous();
    Tensor a = at::empty({f.size(0), network.hidden()}, at::kDouble),
           o = at::empty({f.size(0), network.scores()}, at::kDouble);
    for (std::int64_t row = 0; row < f.size(0); ++row) {
      network.score(f.data_ptr<double>() + row * f.size(1), a.data_ptr<double>() + row * a.size(1),
                    o.data_ptr<double>() + row * o.size(1));
    }
    context->save_for_backward({f, a, v, w});
    return o;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &f = saved[0], &a = saved[1], &v = saved[2], &w = saved[3], &go = gradients[0];
    const Tensor gx = go.matmul(v) * (1 - a.abs()).square();  // σ′(x) = (1 − |σ(x)|)²
    return {gx.matmul(w), gx.t().matmul(f), gx.sum(0), go.t().matmul(a), go.sum(0)};
  }
};

Tensor drawn(at::IntArrayRef shape, double deviation, Random& random) {
  Tensor values = at::empty(shape, at::kDouble);
  for (std::int64_t i = 0; i < values.numel(); ++i) values.data_ptr<double>()[i] = deviation * random.normal();
  return values.requires_grad_();
}

// directions with less of the variance than this are not blown up to 1
constexpr double kLeastVariance = 1e-3;

// (C, C): its rows turn standardised features (n, C) into uncorrelated ones of variance 1
Tensor uncorrelated(const Tensor& features) {
  const Tensor correlation = features.t().matmul(features) / static_cast<double>(features.size(0));
  const auto [variance, direction] = at::linalg_eigh(correlation);
  return (direction / (variance.clamp_min(0) + kLeastVariance).sqrt().unsqueeze(0)).t();
}

}  // namespace

Tensor scored(const Tensor& features, const Tensor& hidden_weight, const Tensor& hidden_bias,
              const Tensor& score_weight, const Tensor& score_bias) {
  return Scores::apply(features, hidden_weight, hidden_bias, score_weight, score_bias);
}

TrainedScoring::TrainedScoring(const Tensor& features, int hidden, int scores, Random& random, std::int64_t whitened) {
  const std::int64_t f = features.size(1);
  mean_ = features.mean(0);
  const Tensor deviation = (features - mean_).square().mean(0).sqrt();
  per_deviation_ = at::where(deviation > 1e-9, 1 / deviation, at::zeros_like(deviation));
  if (whitened > 0) {
    const Tensor own = ((features - mean_) * per_deviation_).narrow(1, 0, whitened);
    whitening_ = at::diag(per_deviation_);
    whitening_.narrow(0, 0, whitened)
        .narrow(1, 0, whitened)
        .copy_(uncorrelated(own) * per_deviation_.narrow(0, 0, whitened));
  }
  leaves_ = {{"hidden.weight", drawn({hidden, f}, 1 / std::sqrt(static_cast<double>(f)), random)},
             {"hidden.bias", drawn({hidden}, 0.5, random)},
             {"score.weight", drawn({scores, hidden}, 0.1, random)},
             {"score.bias", drawn({scores}, 0.0, random)}};
}

Tensor TrainedScoring::scores(const Tensor& features) const {
  const Tensor w = weight();
  return scored(features, w, bias(w), leaves_[2].value, leaves_[3].value);
}

ScoringNetwork TrainedScoring::network() const {
  const Tensor w = weight();
  return network_of(w, bias(w), leaves_[2].value, leaves_[3].value);
}

Tensor TrainedScoring::weight() const {  // WT(f − μ) + b, T = 1/σ or whitening
  return whitening_.defined() ? leaves_[0].value.matmul(whitening_) : leaves_[0].value * per_deviation_;
}

// = (WT)f + (b − (WT)μ)
Tensor TrainedScoring::bias(const Tensor& weight) const { return leaves_[1].value - weight.mv(mean_); }

}  // namespace elastane::train
