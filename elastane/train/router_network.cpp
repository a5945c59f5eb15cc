#include "elastane/train/router_network.h"

#include "elastane/train/choice.h"

namespace elastane::train {

using at::Tensor;

namespace {

// a stream keeps the code for the next layer in its state, in single precision
Tensor with_code(const Tensor& features, const Tensor& before) {
  return before.defined() ? at::cat({features, before.to(at::kFloat).to(at::kDouble)}, 1) : features;
}

}  // namespace

RouterNetwork::RouterNetwork(const std::vector<Tensor>& features, const std::vector<int>& heads, int hidden,
                             int task_size, Random& random) {
  Tensor before;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Tensor seen = with_code(features[i], before);
    TrainedScoring task(seen, hidden, task_size, random, features[i].size(1));
    before = task.scores(seen).detach();
    TrainedScoring router(before, hidden, heads[i], random);
    layers_.push_back({std::move(task), std::move(router)});
  }
}

std::vector<NamedTensor> RouterNetwork::leaves() const {
  std::vector<NamedTensor> all;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    for (const auto& [name, part] : {std::pair("task.", &layers_[i].task), std::pair("router.", &layers_[i].router)}) {
      for (const NamedTensor& leaf : part->leaves())
        all.push_back({std::to_string(i) + "." + name + leaf.name, leaf.value});
    }
  }
  return all;
}

void RouterNetwork::shift(double by) {
  for (Layer& layer : layers_) layer.router.shift(by);
}

RouterNetwork::Routed RouterNetwork::route(int layer, const Tensor& features, const Tensor& before) const {
  const Layer& l = layers_[static_cast<std::size_t>(layer)];
  const auto rows = [](const Tensor& t) { return t.to(at::kDouble).reshape({-1, t.size(-1)}); };
  const auto leading = features.sizes().slice(0, features.dim() - 1);
  const Tensor code = l.task.scores(with_code(rows(features), before.defined() ? rows(before) : before));
  return {code.unflatten(0, leading), l.router.scores(code).unflatten(0, leading)};
}

RoutedModes::RoutedModes(const RouterNetwork& network, const StreamingMask& mask, Pooling pooling, bool by_block,
                         const Drawing& drawing)
    : HeadModes(mask), network_(&network), pooling_(pooling), by_block_(by_block), drawing_(drawing) {}

Tensor RoutedModes::decided(const Tensor& logits) const {
  if (drawing_.temperature == 0) return (logits > 0).to(logits.scalar_type());
  const Tensor scores = at::stack({logits, at::zeros_like(logits)}, -1);  // full, stream
  if (drawing_.noise) return gumbel_choice(scores, drawing_.temperature, *drawing_.random).select(-1, 0);
  return straight_through((logits > 0).to(logits.scalar_type()), at::sigmoid(logits / drawing_.temperature));
}

Tensor RoutedModes::full_share(int layer, const Tensor& keys) {
  if (layer == 0) made_.clear(), features_.clear(), code_ = Tensor();
  features_.push_back(pooled_keys(keys, mask().block, pooling_));
  const Tensor& features = features_.back();
  // block by block, the first has nothing before it, and streaming hides nothing from it
  const std::int64_t blocks = features.size(1), decisions = (keys.size(1) + mask().block - 1) / mask().block - 1;
  const RouterNetwork::Routed routed =
      network_->route(layer, by_block_ ? features.narrow(1, 0, decisions) : features.narrow(1, blocks - 1, 1), code_);
  code_ = routed.code;
  made_.push_back(decided(routed.logits));
  if (!by_block_) return made_.back().to(keys.scalar_type());
  const Tensor first = at::zeros({keys.size(0), 1, keys.size(2)}, at::kDouble);
  return at::cat({first, made_.back()}, 1).to(keys.scalar_type());
}

Tensor RoutedModes::full() const {
  std::vector<Tensor> heads;
  for (const Tensor& r : made_) heads.push_back(r.mean(1));
  return at::cat(heads, 1);
}

}  // namespace elastane::train
