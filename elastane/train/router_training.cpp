#include "elastane/train/router_training.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elastane/train/adamw.h"

namespace elastane::train {
namespace {

using at::Tensor;

// given modes that keep the pooled keys of every layer
class CapturingModes : public GivenModes {
 public:
  CapturingModes(const StreamingMask& mask, const Tensor& heads, int layers, Pooling pooling)
      : GivenModes(mask, heads, layers), pooling_(pooling) {}

  Tensor full_share(int layer, const Tensor& keys) override {
    features.push_back(pooled_keys(keys, mask().block, pooling_).to(at::kDouble));
    return GivenModes::full_share(layer, keys);
  }
  std::vector<Tensor> features;  // of each layer (batch, blocks, KV heads, F)

 private:
  Pooling pooling_;
};

// pooled keys of every layer, under the modes given for each sequence
std::vector<Tensor> features_under(const SequenceModel& model, const Tensor& x, const Tensor& full,
                                   const RouterTraining& t) {
  const at::NoGradGuard no_grad;
  std::vector<std::vector<Tensor>> parts(static_cast<std::size_t>(model.attention_blocks()));
  for (std::int64_t at = 0; at < x.size(0); at += kRoutedRows) {
    const std::int64_t rows = std::min(kRoutedRows, x.size(0) - at);
    CapturingModes modes(t.mask, full.narrow(0, at, rows), model.attention_blocks(), t.pooling);
    routed_logits(model, x.narrow(0, at, rows), &modes);
    for (std::size_t layer = 0; layer < parts.size(); ++layer) parts[layer].push_back(modes.features[layer]);
  }
  std::vector<Tensor> features;
  for (const auto& part : parts) features.push_back(at::cat(part, 0));
  return features;
}

// The weight of each decision, (N, blocks): after block b for the block behind it, and after the last for the whole
// sequence. A block without labels could stream: it is a weak example of that.
struct Decisions {
  Tensor matters;  // bool: its block has labels
  Tensor idle;     // the others
};
Decisions decisions_of(const Tensor& target, std::int64_t block, std::int64_t blocks) {
  const Tensor known = at::isfinite(target).all(-1).narrow(1, 0, blocks * block).unflatten(1, {blocks, block}).any(2);
  const Tensor matters = at::cat({known.narrow(1, 1, blocks - 1), at::ones({target.size(0), 1}, at::kBool)}, 1);
  return {matters, matters.logical_not()};
}

int task_size(const SequenceModel& model) {
  for (const BlockConfig& block : model.config().blocks) {
    if (const auto* a = std::get_if<AttentionConfig>(&block.kind)) return model.config().width / a->heads;
  }
  return 0;
}

RouterNetwork new_network(const SequenceModel& model, const std::vector<Tensor>& features, const RouterTraining& t,
                          Random& random) {
  std::vector<Tensor> rows;
  for (const Tensor& f : features) rows.push_back(f.reshape({-1, f.size(-1)}));
  return {rows, t.hidden, task_size(model), random};
}

Tensor drawn_rows(std::int64_t count, int batch, Random& random) {
  std::vector<std::int64_t> picked(static_cast<std::size_t>(std::min<std::int64_t>(batch, count)));
  for (std::int64_t& row : picked) row = random.below(static_cast<int>(count));
  return at::tensor(picked);
}

double cosine(double done) { return 0.5 * (1 + std::cos(std::numbers::pi * done)); }

// cross-entropy of the decisions of some sequences, weighted
Tensor example_loss(const RouterNetwork& network, const std::vector<Tensor>& features, const Tensor& full,
                    const Decisions& decisions, const Tensor& rows, const RouterTraining& t) {
  const Tensor matters = decisions.matters.index_select(0, rows).unsqueeze(-1), wanted = full.index_select(0, rows);
  Tensor sum = at::zeros({}, at::kDouble), weights = at::zeros({}, at::kDouble);
  const auto by_layer = wanted.chunk(network.layers(), 1);
  for (int layer = 0; layer < network.layers(); ++layer) {
    const Tensor o = network.logits(layer, features[static_cast<std::size_t>(layer)].index_select(0, rows));
    const Tensor label = by_layer[static_cast<std::size_t>(layer)].unsqueeze(1) & matters;  // (rows, blocks, heads)
    const Tensor weight =
        at::where(label, t.full_weight, at::where(matters, 1.0, t.idle_weight)).to(at::kDouble).expand_as(o);
    sum = sum - (weight * at::log_sigmoid(at::where(label, o, -o))).sum();
    weights = weights + weight.sum();
  }
  return sum / weights;
}

TrainedRouter by_examples(const SequenceModel& model, const RouterData& data, const Tensor& dense,
                          const RouterTraining& t) {
  const auto searched = [&](double share) {
    if (t.progress) t.progress(0.9 * share, NAN);
  };
  const HeadExamples examples =
      search_examples(model, data, dense, {.mask = t.mask, .epsilon = t.epsilon, .most_full = t.most_full}, searched);
  const std::vector<Tensor> features = features_under(model, data.x, examples.full, t);
  const Decisions decisions = decisions_of(data.target, t.mask.block, features[0].size(1));
  Random random(t.seed);
  TrainedRouter trained{
      .network = new_network(model, features, t, random), .pooling = t.pooling, .mask = t.mask, .examples = examples};
  AdamW optimiser(trained.network.leaves(), {});
  const int steps = t.steps > 0 ? t.steps : 500;
  for (int step = 0; step < steps; ++step) {
    const Tensor rows = drawn_rows(data.size(), t.batch > 0 ? t.batch : 64, random);
    const Tensor loss = example_loss(trained.network, features, examples.full, decisions, rows, t);
    loss.backward();
    const double done = static_cast<double>(step) / steps;
    optimiser.step(t.rate * cosine(done));
    if (t.progress) t.progress(0.9 + 0.1 * done, loss.item<double>());
  }
  return trained;
}

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
  TORCH_CHECK(t.rate > 0 && t.epsilon > 0 && t.full_weight > 0 && t.idle_weight >= 0 && t.price >= 0,
              "[router] expected rate, epsilon and full weight above 0, idle weight and price of at least 0");
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
  return training.method == RouterMethod::examples ? by_examples(model, data, dense, training)
                                                   : by_drawing(model, data, dense, training);
}

}  // namespace elastane::train
