#include "elastane/train/router_training.h"

#include <algorithm>
#include <cmath>

#include "elastane/train/adamw.h"
#include "elastane/train/router_examples.h"

namespace elastane::train {
namespace {

using at::Tensor;

// λ₁d + λ₂d² of each task, and its ascent
class Multipliers {
 public:
  Multipliers(const RouterTraining& t, std::int64_t tasks, Random& random)
      : absolute_(t.method == RouterMethod::released) {
    // the paper's rate is for 300 steps of 48 sequences; ours has fewer and smaller ones, and takes 30 times of it
    rate_ = t.multiplier_rate > 0 ? t.multiplier_rate : absolute_ ? 1e-3 : 3e-2;
    for (std::int64_t task = 0; task < tasks; ++task) {
      target_.push_back(t.targets.empty() ? 0.85 : t.targets[static_cast<std::size_t>(task)]);
      first_.push_back(random.uniform(0, 0.5));
      second_.push_back(random.uniform(0, 0.5));
    }
  }

  // sparse share (batch), of sequences of tasks (batch); the multipliers climb after their value was used
  Tensor penalty(const Tensor& sparse, const Tensor& task) {
    Tensor sum = at::zeros({}, sparse.options());
    std::int64_t present = 0;
    for (std::size_t k = 0; k < target_.size(); ++k) {
      const Tensor rows = (task == static_cast<std::int64_t>(k)).nonzero().squeeze(1);
      if (rows.numel() == 0) continue;
      const Tensor off = sparse.index_select(0, rows).mean() - target_[k];
      const Tensor d = absolute_ ? off.abs() : off;
      sum = sum + first_[k] * d + second_[k] * d.square();
      const double value = d.item<double>();
      first_[k] += rate_ * value;
      second_[k] = std::max(0.0, second_[k] + rate_ * value * value);
      ++present;
    }
    return sum / std::max<std::int64_t>(1, present);
  }

  std::vector<double> all() const {
    std::vector<double> both = first_;
    both.insert(both.end(), second_.begin(), second_.end());
    return both;
  }

 private:
  bool absolute_;
  double rate_;
  std::vector<double> target_, first_, second_;
};

double temperature_at(const RouterTraining& t, double done) {
  const bool released = t.method == RouterMethod::released;
  const double first = t.first_temperature > 0 ? t.first_temperature : 1.5, last = t.last_temperature > 0
                                                                                       ? t.last_temperature
                                                                                   : released ? 1.0
                                                                                              : 0.5;
  if (released) return last + (first - last) * cosine(std::min(1.0, done / 0.6));
  return first * std::pow(last / first, done);
}

TrainedRouter by_drawing(const SequenceModel& model, const RouterData& data, const Tensor& dense,
                         const RouterTraining& t) {
  Random random(t.seed);
  const Tensor none = at::zeros({data.size(), head_count(model)}, at::kBool);
  TrainedRouter trained{.network = new_network(model, features_under(model, data.x, none, t), t, random),
                        .pooling = t.pooling,
                        .mask = t.mask};
  Multipliers multipliers(t, data.task.max().item<std::int64_t>() + 1, random);
  AdamW optimiser(trained.network.leaves(), {.clip = 5});
  const int steps = t.steps > 0 ? t.steps : 200;
  for (int step = 0; step < steps; ++step) {
    const double done = static_cast<double>(step) / steps;
    const Tensor rows = drawn_rows(data.size(), t.batch > 0 ? t.batch : 16, random);
    const RouterData batch = data.rows(rows);
    RoutedModes modes(trained.network, t.mask, t.pooling, t.by_block,
                      {.temperature = temperature_at(t, done), .noise = t.noise, .random = &random});
    const Tensor y = routed_logits(model, batch.x, &modes);
    const Tensor full = modes.full();
    const Tensor loss =
        t.method == RouterMethod::price
            ? label_divergence(dense.index_select(0, rows), y, batch.target).mean() + t.price * full.mean()
            : label_loss(y, batch.target).mean() + multipliers.penalty(1 - full.mean(1), batch.task);
    loss.backward();
    optimiser.step(t.rate * cosine(done));
    if (t.progress) t.progress(done, loss.item<double>());
  }
  trained.multipliers = multipliers.all();
  return trained;
}

void check(const SequenceModel& model, const RouterData& data, const RouterTraining& t) {
  const auto& [block, sink, local] = t.mask;
  TORCH_CHECK(model.attention_blocks() > 0,
              "[router] expected a model with attention, found none; it has no heads to route");
  TORCH_CHECK(block >= 1 && sink % block == 0 && local >= block && local % block == 0,
              "[router] expected sink and local in multiples of the block (", block, "), found ", sink, " and ", local);
  TORCH_CHECK(data.size() >= 1 && data.x.size(1) >= 2 * block, "[router] expected sequences of at least two blocks of ",
              block, " steps, found ", data.size(), " of ", data.x.size(1));
  TORCH_CHECK(t.rate > 0 && t.epsilon > 0 && t.idle_weight >= 0 && t.price >= 0,
              "[router] expected rate and epsilon above 0, idle weight and price of at least 0");
  TORCH_CHECK(t.targets.empty() || static_cast<std::int64_t>(t.targets.size()) > data.task.max().item<std::int64_t>(),
              "[router] targets: expected one for each of ", data.task.max().item<std::int64_t>() + 1, " tasks, found ",
              t.targets.size());
}

}  // namespace

std::string_view name(RouterMethod method) {
  constexpr std::string_view kNames[] = {"examples", "paper", "released", "price"};
  return kNames[static_cast<int>(method)];
}

RouterWeights router_weights(const TrainedRouter& router, std::uint64_t model) {
  TORCH_CHECK(router.pooling == Pooling::edges_maximum,
              "[router] pooling: expected edges_maximum, which is what a stream keeps, found ",
              kPoolingNames[static_cast<int>(router.pooling)]);
  RouterWeights weights{.model = model};
  for (int layer = 0; layer < router.network.layers(); ++layer) {
    weights.layers.push_back({.task = router.network.task(layer), .route = router.network.router(layer)});
  }
  validate(weights).value();
  return weights;
}

TrainedRouter train_router(const SequenceModel& model, const RouterData& data, const RouterTraining& training) {
  check(model, data, training);
  freeze(model);
  const Tensor dense = dense_logits(model, data.x);
  return training.method == RouterMethod::examples ? train_by_examples(model, data, dense, training)
                                                   : by_drawing(model, data, dense, training);
}

}  // namespace elastane::train
