// How a stream corrects itself: its network as a latent model, the corrector, and what both keep in the stream's state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/corrector.h"
#include "elastane/core/neural_stack.h"
#include "elastane/core/workspace.h"

namespace elastane {

struct LatentOptions {
  bool top_block_only = false;  // the latent is the top recurrent block's state, not all of them
};

class Correction {
 public:
  Correction(const Model& model, const CorrectorOptions& options, const LatentOptions& latent);

  // what it keeps behind the network's state: all doubles, so that it is sound if they are finite
  //   step       length of the last step
  //   input      x̂ of the last step, which rollouts hold
  //   memory     the corrector's
  std::size_t state_doubles() const;
  void reset(std::byte* state);
  void forget() {  // the state has changed under it
    bound_ = false;
    corrector_.forget();
  }
  std::uint64_t fingerprint() const;  // of whatever decides what those doubles mean

  // after a step: what it was given
  void keep_input(std::byte* state, const float* normalised, float dt);

  void anticipate(std::byte* state);
  StepReport correct(std::byte* state, const Objective& objective, const Budget& budget, std::span<float> output);

  const Corrector& corrector() const { return corrector_; }
  int latents() const { return stack_.latents(); }
  std::uint64_t overruns() const { return overruns_; }  // corrections that took longer than their budget
  std::int64_t micro_step_madds() const { return corrector_.micro_step_madds(stack_.cost()); }

 private:
  void bind(std::byte* state);
  double* own(std::byte* state) const { return reinterpret_cast<double*>(state + network_bytes_); }
  double* memory(std::byte* state) const { return own(state) + kColumnLane + column_stride(inputs_); }

  std::size_t network_bytes_;
  int inputs_;  // of x̂, mask included
  NeuralStack<float> stack_;
  Corrector corrector_;
  bool bound_ = false;  // to the step that was taken last
  std::uint64_t overruns_ = 0;
  std::vector<float> input_;  // x̂
  std::vector<double> z_, y_;
};

}  // namespace elastane
