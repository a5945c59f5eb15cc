// ★ The twin of core/corrector/correction_run.cpp. Rows are independent streams: one derivative of the sum of all outputs
// is that of each.
#include "elastane/train/unroll.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "elastane/core/objective/objective.h"
#include "elastane/train/learned_metric.h"

namespace elastane::train {
namespace {

using at::Tensor;

Tensor row_dot(const Tensor& a, const Tensor& b) { return (a * b).sum(-1); }
Tensor as_column(const Tensor& rows) { return rows.unsqueeze(-1); }
Tensor as_row(const Tensor& rows) { return rows.unsqueeze(1); }

// (batch, n, n)x = s, in double like the core's
Tensor solved(const Tensor& system, const Tensor& s) { return at::linalg_solve(system, as_column(s)).squeeze(-1); }

void check(const SequenceModel& model, const UnrollOptions& o) {
  const bool known = o.metric == Metric::euclidean || o.metric == Metric::learned || o.metric == Metric::exact;
  TORCH_CHECK(known, "[unroll] metric: expected euclidean, learned or exact, found ", name(o.metric));
  TORCH_CHECK(o.metric != Metric::learned || model.config().metric.present,
              "[unroll] metric: expected a model with a learned metric, found one without; set its config's metric");
  TORCH_CHECK(o.damping > 0 && o.step > 0 && o.radius > 0 && o.depth >= 0 && o.trials >= 1,
              "[unroll] expected damping, step, radius and trials above 0, and a depth of at least 0");
  TORCH_CHECK(o.noise.size() == 1 || o.noise.size() == static_cast<std::size_t>(model.config().outputs),
              "[unroll] noise: expected 1 or ", model.config().outputs, " values, found ", o.noise.size());
}

// ℓ = ½ Σ w_i (y_i − t_i)², as core/objective/gaussian.h; in double
class Aim {
 public:
  Aim(const Tensor& target, const std::vector<float>& noise) {
    std::vector<double> certainty;
    for (const float sigma : noise) certainty.push_back(Target{}.certainty(sigma));
    const Tensor t = target.detach().to(at::kDouble), offered = t.abs() <= kLargestTarget;
    target_ = at::where(offered, t, at::zeros_like(t));
    weight_ = offered * at::tensor(certainty, at::kDouble);
  }

  const Tensor& weight() const { return weight_; }                                 // W   (batch, outputs)
  Tensor loss(const Tensor& y) const { return 0.5 * row_dot(slope(y), away(y)); }  // ℓ   (batch)
  Tensor slope(const Tensor& y) const { return weight_ * away(y); }                // s = ∇_y ℓ

  // a decrease of ℓ that rounding hides
  Tensor least(const Tensor& y) const {
    const double precision = y.scalar_type() == at::kFloat ? 1e-7 : 1e-15;
    return 1e-12 * (1 + loss(y)) + 2 * precision * (slope(y) * y).abs().sum(-1);
  }

 private:
  // an output without a target may be anything
  Tensor away(const Tensor& y) const { return (y.to(at::kDouble) - target_).masked_fill(weight_ == 0, 0.0); }

  Tensor target_, weight_;
};

// The decoder at a latent, and its derivatives there: in the graph, unless gradients are switched off
class Point {
 public:
  Point(const SequenceModel& model, const SequenceState& state, const Tensor& z)
      : model_(model), state_(state), training_(at::GradMode::is_enabled()) {
    const at::AutoGradMode on(true);
    z_ = training_ && z.requires_grad() ? z : z.detach().requires_grad_();
    y_ = model.decode(model.with_latents(state, z_));
  }

  Tensor y() const { return training_ ? y_ : y_.detach(); }

  // Jᵀs
  Tensor pull(const Tensor& s) const { return grad(y_, z_, s.to(y_.scalar_type())); }

  // (batch, outputs, latents): every stream once for each of its outputs, so that one pass gives all rows
  Tensor jacobian() const {
    const at::AutoGradMode on(true);
    const std::int64_t m = y_.size(1);
    SequenceState wide = state_;
    wide.each([&](Tensor& t) { t = t.repeat_interleave(m, 0); });
    const Tensor z = z_.repeat_interleave(m, 0);
    const Tensor y = model_.decode(model_.with_latents(wide, z));
    const Tensor own = at::eye(m, y.options()).repeat({y_.size(0), 1});
    return grad(y, z, own).view({-1, m, z.size(1)});
  }

 private:
  Tensor grad(const Tensor& y, const Tensor& z, const Tensor& along) const {
    return torch::autograd::grad({y}, {z}, {along}, /*retain_graph=*/true, /*create_graph=*/training_)[0].to(
        at::kDouble);
  }

  const SequenceModel& model_;
  const SequenceState& state_;
  bool training_;
  Tensor z_, y_;
};

// G⁻¹Jᵀs with G = λI + JᵀWJ, in the smaller space                                             as core/metric/exact.cpp
Tensor solve_exact(const Tensor& jacobian, const Tensor& weight, const Tensor& s, double damping) {
  const Tensor weighted = as_column(weight) * jacobian, transposed = jacobian.transpose(1, 2);
  const bool in_outputs = jacobian.size(1) <= jacobian.size(2);
  const Tensor system = in_outputs ? weighted.matmul(transposed) : transposed.matmul(weighted);
  const Tensor damped = system + damping * at::eye(system.size(1), system.options());
  if (in_outputs) return transposed.matmul(as_column(solved(damped, s))).squeeze(-1);
  return solved(damped, transposed.matmul(as_column(s)).squeeze(-1));
}

struct Direction {
  Tensor v;          // −G⁻¹g                    (batch, latents)
  Tensor kappa;      // gᵀG⁻¹g                   (batch)
  Tensor curvature;  // q, what v is measured by (batch)
};

Direction direction(const SequenceModel& model, const Point& at, const Aim& aim, const UnrollOptions& options) {
  const Tensor s = aim.slope(at.y());
  // J v from J itself: as a derivative of Jᵀw it would take one order of derivatives more
  const bool whole = options.metric == Metric::exact || options.length == StepLength::line;
  const Tensor jacobian = whole ? at.jacobian() : Tensor();
  const Tensor g = whole ? as_row(s).matmul(jacobian).squeeze(1) : at.pull(s);
  Tensor v;
  switch (options.metric) {
    case Metric::exact: v = -solve_exact(jacobian, aim.weight(), s, options.damping); break;
    case Metric::learned:
      v = -solve_learned(metric_diagonal(model.weights()["metric.diagonal"]),
                         model.weights()["metric.factor"].to(at::kDouble), g);
      break;
    default: v = -g;
  }
  const Tensor kappa = -row_dot(g, v);
  if (options.metric == Metric::exact || options.length == StepLength::fixed) return {v, kappa, kappa};
  const Tensor a = jacobian.matmul(as_column(v)).squeeze(-1);  // Jv
  return {v, kappa, row_dot(aim.weight(), a.square()) + options.damping * row_dot(v, v)};
}

// α = min(α₀κ/q, ρ/√q); 0 where there is nowhere to go
Tensor length_of(const Direction& to, const UnrollOptions& options) {
  const Tensor q = to.curvature.masked_fill(to.curvature <= 0, 1.0);
  return at::minimum(options.step * to.kappa / q, options.radius / at::sqrt(q));
}

// How much of a step each stream takes: all of it, ½, ¼ … or nothing. It is a choice, so it has no derivative
template <class OutputAt>
Tensor choose_share(const Direction& to, const Tensor& alpha, const Tensor& y, const Aim& aim,
                    const UnrollOptions& options, OutputAt output_at) {
  if (!options.accept) return at::ones_like(alpha);
  const at::NoGradGuard no_grad;
  const auto promised = [&](const Tensor& a) { return a * to.kappa - 0.5 * a.square() * to.curvature; };  // Δ_pred
  const Tensor loss = aim.loss(y), worth = promised(alpha) > aim.least(y);
  Tensor share = at::zeros_like(alpha);
  double part = 1;
  for (int t = 0; t < options.trials; ++t, part *= 0.5) {
    const Tensor a = part * alpha;
    const Tensor good = worth & (loss - aim.loss(output_at(a)) >= options.low * promised(a));
    share = at::where((share == 0) & good, at::full_like(share, part), share);
    if ((share > 0).eq(worth).all().item<bool>()) break;
  }
  return share;
}

}  // namespace

CorrectorOptions corrector_of(const UnrollOptions& o) {
  CorrectorOptions corrector;
  corrector.metric = {.kind = o.metric, .damping = o.damping, .relative = false};
  corrector.trust.radius = corrector.trust.smallest = corrector.trust.largest = o.radius;
  corrector.trust.low = o.low;
  corrector.trust.high = std::fmax(o.low, corrector.trust.high);
  corrector.trust.trials = o.trials;
  corrector.trust.length = o.length;
  corrector.trust.step = o.step;
  corrector.trust.accept = o.accept;
  corrector.retraction.drift = o.drift;
  corrector.gate.depth = o.depth;
  return corrector;
}

Corrected corrected(const SequenceModel& model, const SequenceState& state, const Tensor& target,
                    const UnrollOptions& options) {
  check(model, options);
  TORCH_CHECK(target.dim() == 2 && target.size(0) == state.streams() && target.size(1) == model.config().outputs,
              "[unroll] expected targets (", state.streams(), ", ", model.config().outputs, "), found ",
              target.sizes());
  const Aim aim(target, options.noise);
  const Tensor start = model.latents(state);  // z⁰
  const auto output = [&](const Tensor& z) { return model.decode(model.with_latents(state, z)); };

  Tensor z = start;
  std::vector<Tensor> outputs, losses, kappas, alphas;
  for (int k = 0; k < options.depth; ++k) {
    const Point at(model, state, z);
    outputs.push_back(at.y());
    losses.push_back(aim.loss(at.y()));
    const Direction to = direction(model, at, aim, options);  // v = −G⁻¹g
    const Tensor alpha = length_of(to, options);
    const auto moved = [&](const Tensor& a) {
      const Tensor step = (as_column(a) * to.v).to(z.scalar_type());
      return options.drift > 0 ? z + step + options.drift * (start - z) : z + step;  // z + αv + β(z⁰ − z)
    };
    const Tensor share =
        choose_share(to, alpha, at.y(), aim, options, [&](const Tensor& a) { return output(moved(a)); });
    kappas.push_back(to.kappa);
    alphas.push_back(share * alpha);
    z = at::where(as_column(share > 0), moved(alphas.back()), z);
  }
  outputs.push_back(output(z));
  losses.push_back(aim.loss(outputs.back()));

  const Tensor none = at::zeros({state.streams(), 0}, at::kDouble);
  const Tensor alpha = alphas.empty() ? none : at::stack(alphas, 1);
  return {.state = state.where((alpha > 0).any(1), model.settled(model.with_latents(state, z))),
          .y = outputs.back(),
          .outputs = at::stack(outputs, 1),
          .losses = at::stack(losses, 1),
          .kappa = kappas.empty() ? none : at::stack(kappas, 1),
          .alpha = alpha};
}

Unrolled unroll(const SequenceModel& model, const Sequences& sequences, const Tensor& targets,
                const SequenceState& start, const UnrollOptions& options) {
  const std::int64_t length = sequences.x.size(1);
  TORCH_CHECK(start.streams() == sequences.x.size(0), "[unroll] expected the state of ", sequences.x.size(0),
              " streams, found ", start.streams());
  TORCH_CHECK(length > 0 && targets.dim() == 3 && targets.size(1) == length, "[unroll] expected targets of ", length,
              " steps, found ", targets.sizes());
  const auto step = [](const Tensor& t, std::int64_t at) { return t.defined() ? t.narrow(1, at, 1) : t; };
  SequenceState state = start;
  std::vector<Tensor> outputs, losses, kappas, alphas;
  for (std::int64_t t = 0; t < length; ++t) {
    const Sequences now = {step(sequences.x, t), step(sequences.present, t), step(sequences.dt, t)};
    const Corrected better = corrected(model, model.forward(now, state).state, targets.select(1, t), options);
    state = better.state;
    outputs.push_back(better.outputs);
    losses.push_back(better.losses);
    kappas.push_back(better.kappa);
    alphas.push_back(better.alpha);
  }
  const Tensor all = at::stack(outputs, 1), alpha = at::stack(alphas, 1);
  return {.proposed = all.select(2, 0),
          .y = all.select(2, options.depth),
          .outputs = all,
          .losses = at::stack(losses, 1),
          .kappa = at::stack(kappas, 1),
          .alpha = alpha,
          .depth = (alpha > 0).sum(-1),
          .state = state};
}

}  // namespace elastane::train
