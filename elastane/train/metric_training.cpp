#include "elastane/train/metric_training.h"

#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <numbers>

#include "elastane/core/base/random.h"
#include "elastane/train/adamw.h"
#include "elastane/train/learned_metric.h"

namespace elastane::train {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::span<double> row_of(const Tensor& t, std::size_t row) {
  const auto width = static_cast<std::size_t>(t.size(1));
  return {t.data_ptr<double>() + row * width, width};
}

struct Answer {
  Tensor value, gradient;
};

// the world's loss for a batch of its cases; what a graph keeps of it until it is gone
struct Asked final : torch::CustomClassHolder {
  Asked(AnalyticLoss l, std::vector<std::size_t> c) : loss(std::move(l)), cases(std::move(c)) {}

  Answer at(const Tensor& z) const {
    const Tensor rows = z.detach().contiguous();
    Answer answer = {at::empty({rows.size(0)}, at::kDouble), at::zeros_like(rows)};
    for (std::size_t i = 0; i < cases.size(); ++i) {
      answer.value.data_ptr<double>()[i] = loss.value(cases[i], row_of(rows, i), row_of(answer.gradient, i));
    }
    return answer;
  }

  // ∇²ℓ·v
  Tensor hessian(const Tensor& z, const Tensor& v) const {
    const Tensor rows = z.detach().contiguous(), along = v.detach().contiguous();
    if (!loss.hessian) {
      // a step so small that gradients are straight, and so large that rounding is not seen
      const Tensor h = 1e-5 * (1 + rows.norm(2, 1, true)) / (along.norm(2, 1, true) + 1e-300);
      const Tensor difference = at(rows + h * along).gradient - at(rows - h * along).gradient;
      return at::where(along.abs().sum(1, true) > 0, difference / (2 * h), at::zeros_like(rows));
    }
    Tensor product = at::zeros_like(rows);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      loss.hessian(cases[i], row_of(rows, i), row_of(along, i), row_of(product, i));
    }
    return product;
  }

  AnalyticLoss loss;
  std::vector<std::size_t> cases;
};
using SharedAsked = c10::intrusive_ptr<Asked>;

struct Value : torch::autograd::Function<Value> {
  static Tensor forward(AutogradContext* context, const Tensor& z, const SharedAsked& asked) {
    const Answer answer = asked->at(z);
    context->save_for_backward({answer.gradient});
    return answer.value;
  }
  static variable_list backward(AutogradContext* context, const variable_list& along) {
    return {along[0].unsqueeze(1) * context->get_saved_variables()[0], Tensor()};
  }
};

struct Gradient : torch::autograd::Function<Gradient> {
  static Tensor forward(AutogradContext* context, const Tensor& z, const SharedAsked& asked) {
    context->save_for_backward({z});
    context->saved_data["asked"] = c10::IValue::make_capsule(asked);
    return asked->at(z).gradient;
  }
  static variable_list backward(AutogradContext* context, const variable_list& along) {
    const auto kept = context->saved_data["asked"].toCapsule();
    const auto& asked = static_cast<const Asked&>(*kept);
    return {asked.hessian(context->get_saved_variables()[0], along[0]), Tensor()};  // symmetric
  }
};

// log s and L as leaves, in units of the scale: then a rate means the same whatever the loss's unit. e^x is above 0, so
// G is positive definite
struct Learned {
  Learned(int latents, const MetricTraining& t, Random& random) : scale(t.scale) {
    log_diagonal = at::zeros({latents}, at::kDouble);
    own_factor = at::empty({latents, t.rank}, at::kDouble);
    // small, not zero: at zero its gradient is zero as well
    for (std::int64_t i = 0; i < own_factor.numel(); ++i) own_factor.data_ptr<double>()[i] = 0.1 * random.normal();
    log_diagonal.requires_grad_();
    own_factor.requires_grad_();
  }

  Tensor diagonal() const { return scale * log_diagonal.clamp(-12.0, 12.0).exp(); }
  Tensor factor() const { return std::sqrt(scale) * own_factor; }

  MetricWeights weights() const {
    const at::NoGradGuard no_grad;
    const Tensor s = diagonal(), l = factor();
    const int d = static_cast<int>(l.size(0)), r = static_cast<int>(l.size(1)), stride = double_stride(d);
    MetricWeights weights{.factor = std::vector<double>(static_cast<std::size_t>(r) * stride)};
    weights.diagonal.assign(s.data_ptr<double>(), s.data_ptr<double>() + d);
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < r; ++j) weights.factor[static_cast<std::size_t>(j) * stride + i] = l[i][j].item<double>();
    }
    return weights;
  }

  double scale;
  Tensor log_diagonal, own_factor;
};

// the mean over rows and depths of what K micro-steps come to
Tensor unrolled(const SharedAsked& asked, const Tensor& start, const Learned& metric, const MetricTraining& t) {
  const Tensor s = metric.diagonal(), l = metric.factor();
  Tensor z = start, sum = at::zeros({}, at::kDouble);
  for (int k = 0; k < t.depth; ++k) {
    const Tensor g = Gradient::apply(z, asked);
    const Tensor v = -solve_learned(s, l, g);
    const Tensor kappa = -(g * v).sum(1);
    const Tensor norm = kappa.masked_fill(kappa <= 0, 1.0).sqrt();          // ‖v‖ = √κ
    const Tensor alpha = (t.radius / norm).clamp_max(t.step).unsqueeze(1);  // α = min(α₀, ρ/√κ)
    z = z + alpha * v + t.drift * (start - z);                              // z + αv + β(z⁰ − z)
    sum = sum + at::asinh(Value::apply(z, asked) / t.unit).mean();
  }
  return sum / t.depth;
}

void check(const AnalyticLoss& loss, std::span<const MetricStart> starts, const MetricTraining& t) {
  TORCH_CHECK(loss.latents > 0 && loss.value, "[metric] loss: expected latents and a value, found none");
  TORCH_CHECK(!starts.empty(), "[metric] starts: expected at least one, found none");
  for (const MetricStart& start : starts) {
    TORCH_CHECK(start.z.size() == static_cast<std::size_t>(loss.latents), "[metric] starts: expected ", loss.latents,
                " numbers each, found ", start.z.size());
  }
  TORCH_CHECK(t.rank >= 0 && t.rank <= kMaxRank, "[metric] rank: expected 0 to ", kMaxRank, ", found ", t.rank);
  TORCH_CHECK(t.depth >= 1 && t.steps >= 1 && t.batch >= 1, "[metric] expected depth, steps and batch of at least 1");
  TORCH_CHECK(t.step > 0 && t.radius > 0 && t.scale > 0 && t.unit > 0 && t.rate > 0 && t.drift >= 0 && t.drift < 1,
              "[metric] expected step, radius, scale, unit and rate above 0, and a drift from 0 to 1");
}

}  // namespace

CorrectorOptions corrector_of(const MetricTraining& training) {
  CorrectorOptions corrector;
  corrector.metric = {.kind = Metric::learned, .relative = false};
  corrector.trust.radius = corrector.trust.smallest = corrector.trust.largest = training.radius;
  corrector.trust.length = StepLength::fixed;
  corrector.trust.step = training.step;
  corrector.retraction.drift = training.drift;
  corrector.gate.depth = training.depth;
  return corrector;
}

Tensor loss_at(const AnalyticLoss& loss, const std::vector<std::size_t>& cases, const Tensor& z) {
  return Value::apply(z, c10::make_intrusive<Asked>(loss, cases));
}

Tensor gradient_at(const AnalyticLoss& loss, const std::vector<std::size_t>& cases, const Tensor& z) {
  return Gradient::apply(z, c10::make_intrusive<Asked>(loss, cases));
}

MetricWeights train_metric(const AnalyticLoss& loss, std::span<const MetricStart> starts,
                           const MetricTraining& training) {
  check(loss, starts, training);
  Random random(training.seed);
  const Learned metric(loss.latents, training, random);
  AdamW optimiser({{"diagonal", metric.log_diagonal}, {"factor", metric.own_factor}}, {.decay = 0});
  const int batch = std::min(training.batch, static_cast<int>(starts.size()));
  for (int step = 0; step < training.steps; ++step) {
    std::vector<std::size_t> cases;
    Tensor z = at::empty({batch, loss.latents}, at::kDouble);
    for (int row = 0; row < batch; ++row) {
      const MetricStart& start = starts[static_cast<std::size_t>(random.below(static_cast<int>(starts.size())))];
      cases.push_back(start.which);
      std::copy(start.z.begin(), start.z.end(), row_of(z, static_cast<std::size_t>(row)).begin());
    }
    unrolled(c10::make_intrusive<Asked>(loss, std::move(cases)), z, metric, training).backward();
    optimiser.step(training.rate * 0.5 * (1 + std::cos(std::numbers::pi * step / training.steps)));
  }
  MetricWeights weights = metric.weights();
  validate(weights).value();
  return weights;
}

}  // namespace elastane::train
