#include "lab/images/training_halting.h"

#include <limits>

#include "elastane/core/backbone/recursion.h"
#include "elastane/train/adamw.h"

namespace elastane::images {
namespace {

using at::Tensor;

constexpr int kLearnedSteps = 400, kLearnedBatch = 4096;
constexpr double kLearnedRate = 1e-2;

Tensor drawn(Random& random, at::IntArrayRef shape, double bound) {
  Tensor t = at::empty(shape);
  float* values = t.data_ptr<float>();
  for (std::int64_t i = 0; i < t.numel(); ++i) values[i] = static_cast<float>(random.uniform(-bound, bound));
  return t.requires_grad_(true);
}

// what the engine's rule sees (core/backbone/recursion.h), (examples·depth, features)
Tensor features_of(const Trajectories& t) {
  Tensor all = at::empty({t.examples() * t.depth, kHaltFeatures});
  float* to = all.data_ptr<float>();
  for (int i = 0; i < t.examples(); ++i) {
    for (int k = 0; k < t.depth; ++k, to += kHaltFeatures) {
      const double before = k == 0 ? std::numeric_limits<double>::infinity() : t.change[t.at(i, k - 1)];
      double f[kHaltFeatures];
      halt_features({t.margin(i, k), t.change[t.at(i, k)], t.size[t.at(i, k)], before, k + 1, t.depth}, f);
      for (int j = 0; j < kHaltFeatures; ++j) to[j] = static_cast<float>(f[j]);
    }
  }
  return all;
}

Tensor stays_of(const Trajectories& t) {
  Tensor answers = at::empty({t.examples(), t.depth}, at::kLong);
  std::int64_t* to = answers.data_ptr<std::int64_t>();
  for (int i = 0; i < t.examples(); ++i) {
    for (int k = 0; k < t.depth; ++k) *to++ = t.answer(i, k);
  }
  return train::stays(answers).to(at::kFloat).flatten();
}

train::HaltLoss loss_of(Halting halting) {
  if (halting == Halting::ponder) return train::HaltLoss::ponder;
  return halting == Halting::act ? train::HaltLoss::act : train::HaltLoss::ranking;
}

}  // namespace

LinearHalting::LinearHalting(int width, double bias)
    : weight_(at::zeros({width}).requires_grad_(true)), bias_(at::full({1}, bias).requires_grad_(true)) {}

Tensor LinearHalting::scores(const std::vector<Tensor>& states) const {
  std::vector<Tensor> all;
  for (const Tensor& h : states) all.push_back(at::mv(h, weight_) + bias_);
  return at::stack(all, 1);
}

DepthView depth_view(const std::vector<Tensor>& logits, const Tensor& labels) {
  std::vector<Tensor> losses, answers;
  for (const Tensor& each : logits) {
    losses.push_back(at::nll_loss(at::log_softmax(each, 1), labels, {}, at::Reduction::None));
    answers.push_back(each.argmax(1));
  }
  return {at::stack(losses, 1), at::stack(answers, 1)};
}

Tensor joint_loss(const Method& method, const DeepNetwork& network, const LinearHalting* halting, const Tensor& x,
                  const Tensor& labels, Random& random) {
  const std::vector<Tensor> states = network.states(x, method.depth);
  if (halting == nullptr || method.halting == Halting::none) {
    return at::nll_loss(at::log_softmax(network.logits(states.back()), 1), labels);
  }
  std::vector<Tensor> logits, seen;
  for (const Tensor& h : states) {
    logits.push_back(network.logits(h));
    seen.push_back(method.joint ? h : h.detach());
  }
  const DepthView view = depth_view(logits, labels);
  const bool ranking = method.halting == Halting::ranking;
  const Tensor halt = train::halt_loss(halting->scores(seen), {view.losses, view.answers},
                                       {.kind = loss_of(method.halting),
                                        .relative = method.relative,
                                        .absolute = method.absolute,
                                        .joint = method.joint},
                                       random);
  return ranking ? view.losses.select(1, method.depth - 1).mean() + halt : halt;
}

Tensor rule_scores(Halting halting, const Tensor& o) {
  if (halting == Halting::ponder) return 1 - at::log_sigmoid(-o).cumsum(1).exp();
  return halting == Halting::act ? at::sigmoid(o).cumsum(1) : o;
}

LearnedHalting::LearnedHalting(const Trajectories& learn, std::uint64_t seed) {
  Random random(seed, 43ULL << 48U);
  hidden_ = drawn(random, {kHaltHidden, kHaltFeatures}, 0.5);
  hidden_bias_ = drawn(random, {kHaltHidden}, 0.5);
  score_ = drawn(random, {1, kHaltHidden}, 0.25);
  score_bias_ = drawn(random, {1}, 0.25);
  train::AdamW optimiser(std::vector<train::NamedTensor>{{"halt.hidden.weight", hidden_},
                                                         {"halt.hidden.bias", hidden_bias_},
                                                         {"halt.score.weight", score_},
                                                         {"halt.score.bias", score_bias_}},
                         {.decay = 0});
  const Tensor x = features_of(learn), y = stays_of(learn);
  for (int step = 0; step < kLearnedSteps; ++step) {
    Tensor which = at::empty({kLearnedBatch}, at::kLong);
    std::int64_t* to = which.data_ptr<std::int64_t>();
    for (int i = 0; i < kLearnedBatch; ++i) to[i] = random.below(static_cast<int>(x.size(0)));
    at::binary_cross_entropy_with_logits(forward(x.index_select(0, which)), y.index_select(0, which)).backward();
    optimiser.step(kLearnedRate);
  }
}

Tensor LearnedHalting::forward(const Tensor& features) const {
  const Tensor sum = at::linear(features, hidden_, hidden_bias_);
  return at::linear(sum / (1 + sum.abs()), score_, score_bias_).squeeze(1);
}

Scores LearnedHalting::scores(const Trajectories& of) const {
  const at::NoGradGuard guard;
  const Tensor o = forward(features_of(of)).contiguous();
  const float* from = o.data_ptr<float>();
  return {from, from + o.numel()};
}

}  // namespace elastane::images
