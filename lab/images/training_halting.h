// Scores that say when to stop: linear in h (ranking, PonderNet, ACT), or a small network over four features (learned).
#pragma once

#include <optional>

#include "elastane/core/base/random.h"
#include "elastane/train/halting_losses.h"
#include "lab/images/halting.h"
#include "lab/images/training_networks.h"

namespace elastane::images {

// o = w·h + b of every depth
class LinearHalting {
 public:
  explicit LinearHalting(int width, double bias = 0);
  std::vector<train::NamedTensor> leaves() const { return {{"halt.weight", weight_}, {"halt.bias", bias_}}; }
  at::Tensor scores(const std::vector<at::Tensor>& states) const;  // (batch, depth)

 private:
  at::Tensor weight_, bias_;
};

// loss of every depth and its answers, from logits of every depth
struct DepthView {
  at::Tensor losses, answers;  // (batch, depth)
};
DepthView depth_view(const std::vector<at::Tensor>& logits, const at::Tensor& labels);

// What is learned with the backbone: the task's loss at the last depth, and that of halting; PonderNet and ACT replace the
// task's loss by the expected one
at::Tensor joint_loss(const Method& method, const DeepNetwork& network, const LinearHalting* halting,
                      const at::Tensor& x, const at::Tensor& labels, Random& random);

// scores as a rule compares them with its threshold: of PonderNet the share that has halted, of ACT the sum
at::Tensor rule_scores(Halting halting, const at::Tensor& o);

// "will the answer stay": trained on trajectories of training images, then asked for scores of others
class LearnedHalting {
 public:
  explicit LearnedHalting(const Trajectories& learn, std::uint64_t seed);
  Scores scores(const Trajectories& of) const;

 private:
  at::Tensor forward(const at::Tensor& features) const;
  at::Tensor hidden_, hidden_bias_, score_, score_bias_;
};

}  // namespace elastane::images
