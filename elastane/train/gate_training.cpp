#include "elastane/train/gate_training.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elastane/train/adamw.h"

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
    context->save_for_backward({f, a, v});
    return o;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &f = saved[0], &a = saved[1], &v = saved[2], &go = gradients[0];
    const Tensor gx = go.matmul(v) * (1 - a.abs()).square();  // σ′(x) = (1 − |σ(x)|)²
    return {Tensor(), gx.t().matmul(f), gx.sum(0), go.t().matmul(a), go.sum(0)};
  }
};

Tensor as_tensor(const std::vector<double>& values, std::int64_t columns) {
  return at::tensor(values, at::kDouble).view({-1, columns});
}

// The network in training: it sees features with mean 0 and deviation 1, and folds that into the weights it is run with
class Trained {
 public:
  Trained(const Tensor& features, int hidden, int depths, Random& random) {
    const std::int64_t f = features.size(1);
    mean_ = features.mean(0);
    const Tensor deviation = (features - mean_).square().mean(0).sqrt();
    // what never changed in the lessons means nothing, should it change later
    per_deviation_ = at::where(deviation > 1e-9, 1 / deviation, at::zeros_like(deviation));
    leaves_ = {{"hidden.weight", drawn({hidden, f}, 1 / std::sqrt(static_cast<double>(f)), random)},
               {"hidden.bias", drawn({hidden}, 0.5, random)},
               {"score.weight", drawn({depths, hidden}, 0.1, random)},
               {"score.bias", drawn({depths}, 0.0, random)}};
  }

  const std::vector<NamedTensor>& leaves() const { return leaves_; }
  Tensor scores(const Tensor& features) const {
    const Tensor w = weight();
    return gate_scores(features, w, bias(w), leaves_[2].value, leaves_[3].value);
  }
  LearnedGate gate() const {
    const Tensor w = weight();
    return {.network = network_of(w, bias(w), leaves_[2].value, leaves_[3].value)};
  }

 private:
  static Tensor drawn(at::IntArrayRef shape, double deviation, Random& random) {
    Tensor values = at::empty(shape, at::kDouble);
    for (std::int64_t i = 0; i < values.numel(); ++i) values.data_ptr<double>()[i] = deviation * random.normal();
    return values.requires_grad_();
  }
  Tensor weight() const { return leaves_[0].value * per_deviation_; }                      // W(f − μ)/σ + b
  Tensor bias(const Tensor& weight) const { return leaves_[1].value - weight.mv(mean_); }  // = (W/σ)f + (b − (W/σ)μ)

  Tensor mean_, per_deviation_;
  std::vector<NamedTensor> leaves_;
};

// in units of what depths differ by on average
DepthCosts depth_costs(const DepthExamples& lessons, double price) {
  const Tensor losses = as_tensor(lessons.losses, lessons.depths());
  const Tensor priced = price * at::tensor(lessons.costs, at::kDouble);
  const Tensor j = losses + priced;
  const double range = (j.amax(1) - j.amin(1)).mean().item<double>(), unit = range > 0 ? range : 1.0;
  return {losses / unit, priced / unit};
}

// of urgency, evenly spaced in probability
std::vector<double> quantiles_of(const LearnedGate& gate, const DepthExamples& lessons) {
  constexpr std::size_t kSpaces = 100;
  std::vector<double> urgencies(lessons.size()), a(static_cast<std::size_t>(gate.hidden())), o(lessons.costs.size());
  for (std::size_t i = 0; i < urgencies.size(); ++i) {
    gate.score(lessons.features_of(i).data(), a.data(), o.data());
    urgencies[i] = gate.urgency(o.data());
  }
  std::sort(urgencies.begin(), urgencies.end());
  std::vector<double> quantiles(kSpaces + 1);
  for (std::size_t q = 0; q <= kSpaces; ++q) quantiles[q] = urgencies[q * (urgencies.size() - 1) / kSpaces];
  return quantiles;
}

void check(const DepthExamples& lessons, const GateTraining& t) {
  validate(lessons, kOwnGateFeatures).value();
  TORCH_CHECK(t.price >= 0 && std::isfinite(t.price), "[gate] price: expected at least 0, found ", t.price);
  TORCH_CHECK(t.hidden >= 1 && t.hidden <= kMostScoreHidden, "[gate] hidden: expected 1 to ", kMostScoreHidden,
              " units, found ", t.hidden);
  TORCH_CHECK(t.steps >= 1 && t.batch >= 1 && t.rate > 0, "[gate] expected steps, batch and rate above 0");
  TORCH_CHECK(t.loss.halting > 0 && t.loss.halting < 1 && t.loss.temperature > 0 && t.loss.divergence >= 0 &&
                  t.loss.entropy >= 0,
              "[gate] expected halting between 0 and 1, a temperature above 0, entropy and divergence of at least 0");
}

}  // namespace

Tensor gate_scores(const Tensor& features, const Tensor& hidden_weight, const Tensor& hidden_bias,
                   const Tensor& score_weight, const Tensor& score_bias) {
  return Scores::apply(features, hidden_weight, hidden_bias, score_weight, score_bias);
}

LearnedGate train_gate(const DepthExamples& lessons, const GateTraining& training) {
  check(lessons, training);
  const Tensor features = as_tensor(lessons.features, lessons.feature_count());
  const DepthCosts costs = depth_costs(lessons, training.price);
  Random random(training.seed);
  const Trained network(features, training.hidden, lessons.depths(), random);
  AdamW optimiser(network.leaves(), {.decay = training.decay});
  const auto count = static_cast<int>(lessons.size());
  std::vector<std::int64_t> picked(static_cast<std::size_t>(std::min(training.batch, count)));
  for (int step = 0; step < training.steps; ++step) {
    for (std::int64_t& lesson : picked) lesson = random.below(count);
    const Tensor rows = at::tensor(picked);
    const double done = static_cast<double>(step) / training.steps;
    GateLossOptions now = training.loss;
    now.entropy *= std::max(0.0, 1 - 2 * done);
    const Tensor o = network.scores(features.index_select(0, rows));
    gate_loss(o, {costs.losses.index_select(0, rows), costs.priced}, now, random).backward();
    optimiser.step(training.rate * 0.5 * (1 + std::cos(std::numbers::pi * done)));
  }
  LearnedGate gate = network.gate();
  gate.sees = training.sees;
  gate.readout = readout_of(training.loss.method);
  gate.quantiles = quantiles_of(gate, lessons);
  validate(gate).value();
  return gate;
}

}  // namespace elastane::train
