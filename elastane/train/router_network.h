// The router of a model's heads in training: per attention block a task network and a router network; the logits of `full`
// of its heads from the pooled keys of all of them, and from the code of the block before.
#pragma once

#include <vector>

#include "elastane/train/head_modes.h"
#include "elastane/train/scoring.h"

namespace elastane::train {

class RouterNetwork {
 public:
  // `features` of each attention block: examples (n, F), of which mean and deviation are taken; heads: of each
  RouterNetwork(const std::vector<at::Tensor>& features, const std::vector<int>& heads, int hidden, int task_size,
                Random& random);

  std::vector<NamedTensor> leaves() const;

  // of one layer: features (…, F), the code of the layer before (…, c) unless this is the first
  struct Routed {
    at::Tensor code, logits;  // (…, c), (…, heads)
  };
  Routed route(int layer, const at::Tensor& features, const at::Tensor& before = {}) const;

  // adds to all logits
  void shift(double by);

  int layers() const { return static_cast<int>(layers_.size()); }
  ScoringNetwork task(int layer) const { return layers_[static_cast<std::size_t>(layer)].task.network(); }
  ScoringNetwork router(int layer) const { return layers_[static_cast<std::size_t>(layer)].router.network(); }

 private:
  struct Layer {
    TrainedScoring task, router;
  };
  std::vector<Layer> layers_;
};

// how a choice is made while training; the default decides as at run time
struct Drawing {
  double temperature = 0;    // 0: the larger score, without derivatives
  bool noise = true;         // Gumbel's
  Random* random = nullptr;  // of the noise
};

// Modes as the router decides them: once, from all keys (the paper's form), or at the begin of each block, from the keys
// before it (a stream's form).
class RoutedModes : public HeadModes {
 public:
  RoutedModes(const RouterNetwork& network, const StreamingMask& mask, Pooling pooling, bool by_block,
              const Drawing& drawing = {});

  at::Tensor full_share(int layer, const at::Tensor& keys) override;

  // of the last pass: share of heads that were full, (batch, heads of all layers), mean over decisions, with derivatives
  at::Tensor full() const;
  // of the last pass: pooled keys of every layer, (batch, blocks, F) each
  const std::vector<at::Tensor>& features() const { return features_; }

 private:
  at::Tensor decided(const at::Tensor& logits) const;

  const RouterNetwork* network_;
  Pooling pooling_;
  bool by_block_;
  Drawing drawing_;
  at::Tensor code_;               // of the last layer
  std::vector<at::Tensor> made_;  // r of each layer
  std::vector<at::Tensor> features_;
};

}  // namespace elastane::train
