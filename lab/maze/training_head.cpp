#include "lab/maze/training_head.h"

#include <ATen/ATen.h>

#include <cmath>

#include "elastane/core/base/random.h"
#include "elastane/train/adamw.h"
#include "elastane/train/schedule.h"

namespace elastane::maze {
namespace {

using at::Tensor;

Tensor drawn(at::IntArrayRef shape, double deviation, Random& random) {
  Tensor values = at::empty(shape, at::kDouble);
  for (std::int64_t i = 0; i < values.numel(); ++i) values.data_ptr<double>()[i] = deviation * random.normal();
  return values.requires_grad_();
}

Tensor initial(const std::vector<double>& given, at::IntArrayRef shape, double deviation, Random& random) {
  if (given.empty()) return drawn(shape, deviation, random);
  return at::tensor(given, at::kDouble).view(shape).requires_grad_();
}

std::vector<double> values_of(const Tensor& t) {
  const Tensor whole = t.detach().contiguous();
  return {whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
}

Tensor rows_of(const std::vector<float>& values, at::IntArrayRef shape) {
  return at::from_blob(const_cast<float*>(values.data()), shape);
}

}  // namespace

TrainedHead train_head(const Head& from, const HeadExamples& examples, const HeadTraining& training) {
  Random random(training.seed, 5ULL << 48U);
  const std::vector<train::NamedTensor> leaves = {
      {"weight", initial(from.weight, {kHeadHidden, kMoveFeatures}, 1 / std::sqrt(kMoveFeatures), random)},
      {"bias", initial(from.bias, {kHeadHidden}, 0.5, random)},
      {"score", initial(from.score, {kHeadHidden}, 0.3, random)}};
  const Tensor &weight = leaves[0].value, &bias = leaves[1].value, &score = leaves[2].value;
  train::AdamW optimiser(leaves, {.decay = 1e-4});
  const train::Schedule schedule{.steps = training.steps};

  const auto n = static_cast<std::int64_t>(examples.size());
  const Tensor features = rows_of(examples.features, {n, kDepth + 1, kLatticeMoves, kMoveFeatures});
  const Tensor shares = rows_of(examples.shares, {n, 1, kLatticeMoves}),
               open = rows_of(examples.open, {n, 1, kLatticeMoves});
  const Tensor depths = rows_of(examples.weights, {n, kDepth + 1});
  std::vector<std::int64_t> picked(static_cast<std::size_t>(training.batch));
  TrainedHead trained;
  for (int step = 0; step < training.steps; ++step) {
    for (std::int64_t& example : picked) example = random.below(static_cast<int>(n));
    const Tensor rows = at::tensor(picked);
    const auto take = [&](const Tensor& all) { return all.index_select(0, rows).to(at::kDouble); };
    const Tensor x = at::matmul(take(features), weight.t()) + bias;
    const Tensor scores = at::matmul(x / (1 + x.abs()), score);  // (batch, depths, moves)
    const Tensor blocked = (1 - take(open)) * 1e9;
    const Tensor cross_entropy = -(take(shares) * at::log_softmax(scores - blocked, -1)).sum(-1);
    const Tensor loss = (take(depths) * cross_entropy).sum(-1).mean();  // Σ p_k ℓ_k
    loss.backward();
    optimiser.step(training.rate * schedule(step));
    if (step >= training.steps - 100) trained.loss += loss.item<double>() / 100;
  }
  trained.head = {.weight = values_of(weight), .bias = values_of(bias), .score = values_of(score)};
  return trained;
}

}  // namespace elastane::maze
