// Construction and copies; everything else is real-time code, in neural_stack.cpp and neural_stack_roll.cpp.
#include <algorithm>

#include "elastane/core/latent/neural_stack.h"

namespace elastane {
namespace {

template <class T>
Buffer tapes(int floats, int count) {
  return Buffer(sizeof(T) * as_size(floats) * as_size(std::max(count, 0)));
}

}  // namespace

template <class T>
NeuralStack<T>::NeuralStack(const Model& model, const StackOptions& options)
    : NeuralStack(std::make_shared<const StackDescription>(model, options)) {}

template <class T>
NeuralStack<T>::NeuralStack(std::shared_ptr<const StackDescription> of) : description_(std::move(of)) {
  const Program &decode = description_->decode.program, &roll = description_->roll.program;
  const int rows = std::max(description_->options.max_directions, 2), horizon = description_->options.max_horizon;
  point_ = tapes<T>(decode.tape_floats, 1);
  trial_ = tapes<T>(decode.tape_floats, 1);
  rows_ = tapes<T>(std::max(decode.tape_floats, roll.tape_floats), rows);
  scratch_ = tapes<T>(std::max(decode.scratch_floats, roll.scratch_floats), rows);
  point_steps_ = tapes<T>(roll.tape_floats, horizon);
  trial_steps_ = tapes<T>(roll.tape_floats, horizon);
  point_change_ = tapes<T>(decode.tape_floats, 1);
  changes_ = tapes<T>(roll.tape_floats, horizon);
  step_ = tapes<T>(roll.tape_floats, 1);
  tried_.resize(as_size(description_->latents));
  restored_.resize(as_size(description_->model.outputs()));
  const std::size_t windows = description_->decode.windows.size();
  windows_.resize(windows);
  roll_windows_.resize(windows);
  step_windows_.resize(windows);
  entries_.resize(windows * as_size(std::max(horizon, 0)));
  int most = 0;
  for (const auto& window : description_->decode.windows) most = std::max(most, most_blocks(window.window.shape));
  list_.resize(as_size(most));
  for (Spans* spans : {&decode_spans_, &roll_spans_, &step_spans_}) {
    spans->full.resize(windows * list_.size());
    spans->stream.resize(windows * list_.size());
  }
}

template class NeuralStack<float>;
template class NeuralStack<double>;

}  // namespace elastane
