// A stream's network as a latent model: outputs, derivatives and frozen steps ahead, as functions of its latents.
//
//   stack.bind(state, {.dt = dt});         after a step: what the latents are decoded with
//   stack.latents_from_state(z);
//   stack.linearise(z, y);                 …the corrector works…
//   stack.commit(z);                       the only writer of the state
//
// In float it is the product; in double, with naive loops, its oracle. Nothing here allocates but constructors and
// copies. A copy must be bound again before it is used.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "elastane/core/backbone/head_modes.h"
#include "elastane/core/base/buffer.h"
#include "elastane/core/corrector/latent_model.h"
#include "elastane/core/latent/stack_description.h"
#include "elastane/core/network/state.h"

namespace elastane {

// the inputs of the last step that its state does not hold
struct StepInput {
  double dt = 1;
  // x̂, with its mask if the model has one; needed only to step or roll where inputs are adapted
  std::span<const float> normalised = {};
  const double* persistent = nullptr;  // c, or null for zeros; must stay until the next bind
};

template <class T>
class NeuralStack final : public LatentModel {
 public:
  NeuralStack(const Model& model, const StackOptions& options);
  explicit NeuralStack(std::shared_ptr<const StackDescription> description);

  const StackDescription& description() const { return *description_; }
  int carried() const { return description_->carried; }  // length of a carried row (stack_description.h)

  // Attaches to a stream's state after a step. The state must not move before the next bind, and its latents may change
  // only through commit.
  void bind(std::byte* state, const StepInput& input);

  // z followed by c, as the state and the input hold them
  void latents_from_state(std::span<double> z) const;

  // Writes z to the state: latents, and the newest taps, keys and values that follow from them. c is not written.
  void commit(std::span<const double> z);

  int latents() const override { return description_->latents; }
  int outputs() const override { return description_->judged; }
  LatentCost cost() const override;
  double precision() const override { return sizeof(T) == sizeof(float) ? 1e-7 : 1e-15; }
  // y may be longer than outputs(); the outputs that are not judged follow
  void linearise(std::span<const double> z, std::span<double> y) override;
  void output(std::span<const double> z, std::span<double> y) override;
  void jvp(ConstDoubleRows q, DoubleRows jq) override;
  void vjp(ConstDoubleRows w, DoubleRows jtw) override;
  void jacobian(ConstDoubleRows units, DoubleRows rows) override;
  void second(std::span<const double> q, std::span<double> d2) override;
  void roll_point(DoubleRows y) override;
  void roll_tangent(std::span<const double> v, DoubleRows dy) override;
  void roll(std::span<const double> z, DoubleRows y) override;

  // The last step itself, differentiated. keep() the state before the step; advance; bind; begin_step() runs it again
  // from the kept state, or from another carried row. step_value gives the carried row after it and y; step_jvp maps
  // tangents before the step to tangents after it (the rows may be the same) and of y (or none, if dy is empty).
  void keep(const std::byte* state);
  void begin_step();
  void begin_step(std::span<const double> carried);
  void kept(std::span<double> carried) const;
  void step_value(std::span<double> carried, std::span<double> y) const;
  void step_jvp(ConstDoubleRows before, DoubleRows after, DoubleRows dy);
  // writes the result of that step to the bound state; it differs from that of advance where c takes part
  void commit_step();

 private:
  void store(const StackView& view, const T* tape, bool moving_only);

  struct Restored {
    double level = 0, scale = 1;
  };
  // a chain of frozen steps: the tape it begins at, those of the steps, and their tangents or null
  // what heads of either mode see, [block][panel]
  struct Spans {
    std::vector<WindowSpan> full, stream;
  };
  struct Chain {
    T *start, *steps;
    T *start_tangent, *step_tangents;
  };

  Pass<T> pass(const StackView& view, T* tape, const std::vector<Window<T>>& windows, bool derivatives) const;
  BasicRows<T> tangents(const StackView& view, int count) const;
  // `count` directions, as many at once as there are rows for: run(first, rows)
  template <class Run>
  void in_batches(const StackView& view, int count, Run run) const {
    const int most = description_->options.max_directions;
    for (int first = 0; first < count; first += most) {
      run(first, tangents(view, count - first < most ? count - first : most));
    }
  }
  void read_adjoints(BasicRows<T> a, DoubleRows to) const;
  StateView state() const { return {state_, description_->model.network().layout}; }
  std::uint64_t position() const;  // of the last step
  void load_given(const StackView& view, T* tape) const;
  void load_persistent(const StackView& view, T* tape) const;
  void run_step();
  void bind_windows();
  void look_from(std::size_t block, std::uint64_t at, Spans& spans, Window<T>& window);
  void evaluate(std::span<const double> z, T* tape, bool derivatives) const;
  T* try_out(std::span<const double> z);
  void read_output(const StackView& view, const T* tape, std::span<double> y) const;
  void read_change(const StackView& view, const T* tangent, double* dy) const;

  void prepare_roll();
  void run_chain(const Chain& chain, bool derivatives, DoubleRows y);
  void look_back(const Chain& chain, int h);
  T* step_of(T* steps, int h) const { return steps + static_cast<std::ptrdiff_t>(h) * roll_floats(); }
  int roll_floats() const { return description_->roll.program.tape_floats; }

  std::shared_ptr<const StackDescription> description_;
  //                                   meaning                                               written by
  Buffer point_, trial_;            // decode tapes: the point, and any other z              bind, linearise, output
  Buffer rows_;                     // tangents or adjoints of up to max_directions          jvp, vjp, second, step_jvp
  Buffer scratch_;                  // of operations                                         all
  Buffer point_steps_;              // roll tapes ahead of the point                         roll_point
  Buffer trial_steps_;              // roll tapes ahead of any other z                       roll
  Buffer point_change_, changes_;   // tangent of the point, and of the steps ahead of it    roll_tangent
  Buffer step_;                     // roll tape of the last step                            keep, begin_step
  std::vector<double> tried_;       // z of the trial tape                                   try_out
  std::vector<Restored> restored_;  // level and scale of every output                       bind
  std::vector<Window<T>> windows_, roll_windows_, step_windows_;  // of every attention block
  std::vector<WindowEntry<T>> entries_;                           // [block][step ahead] of roll_windows_
  Spans decode_spans_, roll_spans_, step_spans_;                  // what they see
  std::vector<KeyBlock> list_;                                    // scratch of look_from

  std::byte* state_ = nullptr;
  StepInput input_;
  StateHeader kept_;            // of the state that keep() saw
  bool has_tried_ = false;      // the trial tape is that of tried_
  bool roll_prepared_ = false;  // fixed operations of the roll ran since the last bind
};

extern template class NeuralStack<float>;
extern template class NeuralStack<double>;

}  // namespace elastane
