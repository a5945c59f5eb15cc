// The run-time scoring network in the graph: training calls core/allocation/scoring_network.cpp itself, so a network
// decides at run time as it did in training, bit for bit.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "elastane/core/allocation/scoring_network.h"
#include "elastane/core/base/random.h"
#include "elastane/train/weights.h"

namespace elastane::train {

// o for features (examples, F), with derivatives to features and weights; all in double
at::Tensor scored(const at::Tensor& features, const at::Tensor& hidden_weight, const at::Tensor& hidden_bias,
                  const at::Tensor& score_weight, const at::Tensor& score_bias);

// A scoring network in training. Its features have mean 0 and deviation 1; network() folds that into the weights.
class TrainedScoring {
 public:
  // `features`: examples (n, F), of which mean and deviation are taken; a feature that never changes gets no weight. The
  // first `whitened` of them are also made uncorrelated, so that a direction in which they hardly vary, and which says
  // much, is learned as fast as any other.
  TrainedScoring(const at::Tensor& features, int hidden, int scores, Random& random, std::int64_t whitened = 0);

  const std::vector<NamedTensor>& leaves() const { return leaves_; }
  at::Tensor scores(const at::Tensor& features) const;
  ScoringNetwork network() const;
  // adds to all scores
  void shift(double by) { leaves_[3].value.data().add_(by); }

 private:
  at::Tensor weight() const;
  at::Tensor bias(const at::Tensor& weight) const;

  at::Tensor mean_, per_deviation_;
  at::Tensor whitening_;  // (F, F), or not defined: per_deviation_ alone
  std::vector<NamedTensor> leaves_;
};

}  // namespace elastane::train
