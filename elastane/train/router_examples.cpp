#include "elastane/train/router_examples.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elastane/train/adamw.h"

namespace elastane::train {
namespace {

using at::Tensor;

constexpr int kHeldOut = 5;                     // one sequence in so many chooses the offset,
constexpr int kMostHeldOut = 256;               // and no more than this
constexpr double kDecay = 0.1;                  // features are many, sequences few
constexpr int kRounds = 3;                      // after the first one the router's own decisions are followed
constexpr double kNoise = 0.5;                  // of features, in deviations
constexpr double kWorst = 1.0;                  // nats beyond which a subset is not worse
constexpr double kGraded = 0.3, kLikely = 0.1;  // weights of the two losses after the first round
constexpr double kOffsets[] = {-1, 0, 1, 2, 4, 6};

// given modes that keep the pooled keys of every layer
class CapturingModes : public GivenModes {
 public:
  CapturingModes(const StreamingMask& mask, const Tensor& heads, int layers, Pooling pooling)
      : GivenModes(mask, heads, layers), pooling_(pooling) {}

  Tensor full_share(int layer, const Tensor& keys) override {
    features.push_back(pooled_keys(keys, mask().block, pooling_).to(at::kDouble));
    return GivenModes::full_share(layer, keys);
  }
  std::vector<Tensor> features;  // of each layer (batch, blocks, F)

 private:
  Pooling pooling_;
};

std::vector<int> heads_by_layer(const SequenceModel& model) {
  std::vector<int> heads;
  for (const BlockConfig& block : model.config().blocks) {
    if (const auto* a = std::get_if<AttentionConfig>(&block.kind)) {
      heads.push_back(a->kv_heads > 0 ? a->kv_heads : a->heads);
    }
  }
  return heads;
}

// Decisions to learn from, each after a block of a sequence: for the block behind it, and after the last for the whole
// sequence.
struct Decisions {
  std::vector<Tensor> features;  // of each layer (decisions, F)
  Tensor sequence;               // of each decision
  Tensor matters, idle;          // those whose block has labels, and the others
};
Decisions decisions_of(const std::vector<Tensor>& features, const Tensor& target, std::int64_t block) {
  const std::int64_t n = features[0].size(0), blocks = features[0].size(1);
  const Tensor known = at::isfinite(target).all(-1).narrow(1, 0, blocks * block).unflatten(1, {blocks, block}).any(2);
  const Tensor matters = at::cat({known.narrow(1, 1, blocks - 1), at::ones({n, 1}, at::kBool)}, 1).flatten();
  Decisions d;
  for (const Tensor& f : features) d.features.push_back(f.flatten(0, 1));
  d.sequence = at::arange(n, at::kLong).repeat_interleave(blocks);
  d.matters = matters.nonzero().squeeze(1), d.idle = matters.logical_not().nonzero().squeeze(1);
  return d;
}

// parts of every layer
std::vector<Tensor> joined(const std::vector<std::vector<Tensor>>& parts) {
  std::vector<Tensor> whole;
  for (const auto& part : parts) whole.push_back(at::cat(part, 0));
  return whole;
}

// decisions of both, about the same sequences
Decisions joined(const Decisions& a, const Decisions& b) {
  Decisions both;
  const std::int64_t shift = a.sequence.size(0);
  for (std::size_t i = 0; i < a.features.size(); ++i) {
    both.features.push_back(at::cat({a.features[i], b.features[i]}, 0));
  }
  both.sequence = at::cat({a.sequence, b.sequence}, 0);
  both.matters = at::cat({a.matters, b.matters + shift}, 0), both.idle = at::cat({a.idle, b.idle + shift}, 0);
  return both;
}

// Noise with the covariance of the features: the difference of two decisions drawn at random. Sequences are few, and a
// router that sees each as it is learns them by heart.
struct FeatureNoise {
  Tensor one, other;  // decisions, one per row
};
FeatureNoise noise_for(const Decisions& d, const Tensor& rows, Random& random) {
  const auto count = d.sequence.size(0);
  const int n = static_cast<int>(rows.size(0));
  return {drawn_rows(count, n, random), drawn_rows(count, n, random)};
}

Tensor logits_at(const RouterNetwork& network, const Decisions& d, const Tensor& rows, const FeatureNoise& noise) {
  std::vector<Tensor> logits;
  Tensor code;
  for (int layer = 0; layer < network.layers(); ++layer) {
    const Tensor& all = d.features[static_cast<std::size_t>(layer)];
    const Tensor apart = all.index_select(0, noise.one) - all.index_select(0, noise.other);
    const RouterNetwork::Routed routed =
        network.route(layer, all.index_select(0, rows) + kNoise / std::numbers::sqrt2 * apart, code);
    logits.push_back(routed.logits), code = routed.code;
  }
  return at::cat(logits, 1);
}

class Fit {
 public:
  Fit(const RouterTraining& training, const HeadExamples& examples, TrainedRouter& router, Random& random)
      : t_(training), examples_(examples), router_(router), random_(random) {}

  // `graded`: by the cost of subsets, not only by which are good
  void run(const Decisions& d, int steps, bool graded, double begun) {
    AdamW optimiser(router_.network.leaves(), {.decay = kDecay});
    const int batch = t_.batch > 0 ? t_.batch : 128;
    for (int step = 0; step < steps; ++step) {
      const double done = static_cast<double>(step) / steps;
      const Tensor loss = batch_loss(d, batch, graded);
      loss.backward();
      optimiser.step(t_.rate * cosine(done));
      if (t_.progress) t_.progress(begun + 0.03 * done, loss.item<double>());
    }
  }

 private:
  Tensor batch_loss(const Decisions& d, int batch, bool graded) {
    const Tensor rows = d.matters.index_select(0, drawn_rows(d.matters.size(0), batch, random_));
    const Tensor cost = examples_.cost.index_select(0, d.sequence.index_select(0, rows));
    const Tensor logits = logits_at(router_.network, d, rows, noise_for(d, rows, random_));
    Tensor loss = subset_loss(logits, examples_.candidates, cost, t_.epsilon).mean();
    if (graded) {
      loss = kLikely * loss + kGraded / t_.epsilon * expected_cost(logits, examples_.candidates, cost).mean();
    }
    if (t_.idle_weight == 0 || d.idle.size(0) == 0) return loss;
    // a block without labels could stream: a weak example of that
    const Tensor idle = d.idle.index_select(0, drawn_rows(d.idle.size(0), std::max(1, batch / 4), random_));
    const Tensor free = logits_at(router_.network, d, idle, noise_for(d, idle, random_));
    return loss - t_.idle_weight * at::log_sigmoid(-free).sum(1).mean();
  }

  const RouterTraining& t_;
  const HeadExamples& examples_;
  TrainedRouter& router_;
  Random& random_;
};

// pooled keys of every layer under the router's own decisions
std::vector<Tensor> own_features(const SequenceModel& model, const Tensor& x, const TrainedRouter& router,
                                 bool by_block) {
  const at::NoGradGuard no_grad;
  std::vector<std::vector<Tensor>> parts(static_cast<std::size_t>(model.attention_blocks()));
  for (std::int64_t at = 0; at < x.size(0); at += kRoutedRows) {
    RoutedModes modes(router.network, router.mask, router.pooling, by_block);
    routed_logits(model, x.narrow(0, at, std::min(kRoutedRows, x.size(0) - at)), &modes);
    for (std::size_t layer = 0; layer < parts.size(); ++layer) {
      parts[layer].push_back(modes.features()[layer].to(at::kDouble));
    }
  }
  return joined(parts);
}

void choose_offset(const SequenceModel& model, const RouterData& data, const Tensor& dense, double epsilon,
                   TrainedRouter& router) {
  double best = HUGE_VAL, chosen = 0, now = 0;
  for (const double offset : kOffsets) {
    router.network.shift(offset - now);
    now = offset;
    const double cost = routed_cost(model, data, dense, router, epsilon);
    if (cost < best) best = cost, chosen = offset;
  }
  router.network.shift(chosen - now);
  router.offset = chosen;
}

}  // namespace

double cosine(double done) { return 0.5 * (1 + std::cos(std::numbers::pi * done)); }

Tensor drawn_rows(std::int64_t count, int batch, Random& random) {
  std::vector<std::int64_t> picked(static_cast<std::size_t>(std::min<std::int64_t>(batch, count)));
  for (std::int64_t& row : picked) row = random.below(static_cast<int>(count));
  return at::tensor(picked);
}

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
  return joined(parts);
}

RouterNetwork new_network(const SequenceModel& model, const std::vector<Tensor>& features, const RouterTraining& t,
                          Random& random) {
  std::vector<Tensor> rows;
  for (const Tensor& f : features) rows.push_back(f.flatten(0, 1));
  return {rows, heads_by_layer(model), t.hidden, kRouterCode, random};
}

Tensor subset_loss(const Tensor& logits, const Tensor& candidates, const Tensor& cost, double epsilon) {
  // log p(S) = Σ_h log σ(−o_h) + Σ_{h ∈ S} o_h
  const Tensor none = at::log_sigmoid(-logits).sum(1, /*keepdim=*/true);
  const Tensor log_p = none + logits.matmul(candidates.to(logits.scalar_type()).t());
  const Tensor worse = cost - std::get<0>(cost.min(1, /*keepdim=*/true));
  return -at::logsumexp(log_p - worse / epsilon, {1});
}

Tensor expected_cost(const Tensor& logits, const Tensor& candidates, const Tensor& cost) {
  const Tensor q = at::softmax(logits.matmul(candidates.to(logits.scalar_type()).t()), 1);
  const Tensor worse = (cost - std::get<0>(cost.min(1, /*keepdim=*/true))).clamp_max(kWorst);
  return (q * worse).sum(1);
}

double routed_cost(const SequenceModel& model, const RouterData& data, const Tensor& dense, const TrainedRouter& router,
                   double epsilon) {
  const at::NoGradGuard no_grad;
  double sum = 0;
  for (const bool by_block : {false, true}) {
    for (std::int64_t at = 0; at < data.size(); at += kRoutedRows) {
      const std::int64_t rows = std::min(kRoutedRows, data.size() - at);
      RoutedModes modes(router.network, router.mask, router.pooling, by_block);
      const Tensor y = routed_logits(model, data.x.narrow(0, at, rows), &modes);
      const Tensor lost = label_divergence(dense.narrow(0, at, rows), y, data.target.narrow(0, at, rows));
      sum += lost.sum().item<double>() + epsilon * modes.full().sum().item<double>();
    }
  }
  return sum / 2 / static_cast<double>(data.size());
}

TrainedRouter train_by_examples(const SequenceModel& model, const RouterData& all, const Tensor& all_dense,
                                const RouterTraining& t) {
  const Tensor index = at::arange(all.size(), at::kLong), held = (index.remainder(kHeldOut) == kHeldOut - 1);
  const bool enough = all.size() >= 2 * kHeldOut;
  const Tensor learn = enough ? held.logical_not().nonzero().squeeze(1) : index,
               choose = (enough ? held.nonzero().squeeze(1) : index).slice(0, 0, kMostHeldOut);
  const RouterData data = all.rows(learn);
  const Tensor dense = all_dense.index_select(0, learn);
  const auto searched = [&](double share) {
    if (t.progress) t.progress(0.9 * share, NAN);
  };
  const HeadExamples examples =
      search_examples(model, data, dense, {.mask = t.mask, .epsilon = t.epsilon, .most_full = t.most_full}, searched);
  const std::vector<Tensor> features = features_under(model, data.x, examples.full, t);
  const Decisions found = decisions_of(features, data.target, t.mask.block);
  Random random(t.seed);
  TrainedRouter router{
      .network = new_network(model, features, t, random), .pooling = t.pooling, .mask = t.mask, .examples = examples};
  const int steps = t.steps > 0 ? t.steps : 1600;
  Fit fit(t, examples, router, random);
  for (int round = 0; round < kRounds; ++round) {
    Decisions known = found;
    for (const bool by_block : {false, true}) {
      if (round == 0) break;
      const auto own = own_features(model, data.x, router, by_block);
      known = joined(known, decisions_of(own, data.target, t.mask.block));
    }
    fit.run(known, (steps + kRounds - 1) / kRounds, round > 0, 0.9 + 0.03 * round);
  }
  choose_offset(model, all.rows(choose), all_dense.index_select(0, choose), t.epsilon, router);
  return router;
}

}  // namespace elastane::train
