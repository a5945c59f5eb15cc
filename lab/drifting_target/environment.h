// A target that drifts and jumps: the outputs of a decoder for a hidden latent. A stream follows it by correcting its own
// latent, which otherwise stays constant.
//
//   const Model model = make_model(episode);
//   Environment environment(episode, model);
//   std::span<const float> target = environment.step(stream.state());       one per step
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/latent/neural_stack.h"
#include "elastane/core/stream/stream.h"

namespace elastane::drifting_target {

inline constexpr int kLatents = 64, kHidden = 128;
inline constexpr double kDrift = 0.02, kJump = 0.7;  // of every coordinate of the hidden latent
inline constexpr float kNoise = 0.1F;                // σ of the loss

struct Episode {
  int outputs = 6;
  double sharpness = 1;  // of the decoder's first layer
  std::uint64_t seed = 1;
  int steps = 256;
};

// a latent that keeps its value, decoded by tanh(W₁z + b) and a linear layer
Model make_model(const Episode& episode);

class Environment {
 public:
  Environment(const Episode& episode, const Model& model);

  // the target of the next step, for a stream in this state
  std::span<const float> step(std::span<const std::byte> state);

 private:
  Episode episode_;
  NeuralStack<double> decoder_;
  Random random_;
  std::vector<double> latent_, output_;
  std::vector<float> target_;
  int t_ = 0;
};

// means over the steps of an episode
struct Outcome {
  double loss = 0, accepted = 0, condition = 0, macs = 0;
};
Outcome follow(const Episode& episode, const CorrectorOptions& options);

}  // namespace elastane::drifting_target
