// Real-time code only.
// Frozen steps ahead, and the last step differentiated.
#include <cstring>

#include "elastane/core/base/denormals.h"
#include "elastane/core/latent/neural_stack.h"
#include "elastane/core/latent/stack_rows.h"

namespace elastane {
namespace {

template <class T>
T* tape_of(Buffer& buffer) {
  return reinterpret_cast<T*>(buffer.data());
}

// copies the result of one step to where the next one begins
template <class T>
void hand_on(const StackView& from, const T* tape, const StackView& to, T* next) {
  for (std::size_t i = 0; i < to.before.size(); ++i) {
    std::memcpy(next + to.before[i].offset, tape + from.after[i].offset, sizeof(T) * to.before[i].lanes());
  }
  next[to.elapsed.offset] = tape[from.elapsed_after.offset];
}

// the same for tangents; fixed parts have none
template <class T>
void hand_on_tangent(const StackView& from, const T* tangent, const StackView& to, T* next) {
  for (std::size_t i = 0; i < to.before.size(); ++i) {
    if (from.after[i].active) {
      std::memcpy(next + to.before[i].offset, tangent + from.after[i].offset, sizeof(T) * to.before[i].lanes());
    } else {
      clear_part(to.before[i], next);
    }
  }
}

}  // namespace

// fixed operations run once, on the first tape; the other tapes get a copy
template <class T>
void NeuralStack<T>::prepare_roll() {
  if (roll_prepared_) return;
  roll_prepared_ = true;
  const StackView& view = description_->roll;
  T *point = tape_of<T>(point_steps_), *trial = tape_of<T>(trial_steps_);
  load_given(view, point);
  run_fixed(view.program, pass(view, point, roll_windows_, false));
  for (int h = 0; h < description_->options.max_horizon; ++h) {
    if (h > 0) share(view.program, point, step_of(point, h));
    share(view.program, point, step_of(trial, h));
  }
}

// The windows as step h (from 0) ahead sees them: the steps before it are on tapes, and hide the slots that they will
// overwrite. Entry 0 is the step that was read, entry e the e-th one ahead.
template <class T>
void NeuralStack<T>::look_back(const Chain& chain, int h) {
  const std::uint64_t now = position() + 1 + static_cast<std::uint64_t>(h);
  const int horizon = description_->options.max_horizon;
  for (std::size_t i = 0; i < roll_windows_.size(); ++i) {
    const KeyValueWindow& in = description_->roll.windows[i].window;
    const auto window = static_cast<std::uint64_t>(in.shape.window);
    Window<T>& w = roll_windows_[i];
    w = windows_[i];
    look_from(i, now, roll_spans_, w);
    w.earlier = entries_.data() + i * as_size(horizon);
    for (int e = 0; e <= h; ++e) {
      const std::uint64_t then = now - 1 - static_cast<std::uint64_t>(h - e);
      if (now - then >= window) continue;  // already overwritten
      const auto& [ring, key, value, modes] = (e == 0 ? description_->decode : description_->roll).windows[i];
      const T* tape = e == 0 ? chain.start : step_of(chain.steps, e - 1);
      const T* tangent = chain.step_tangents == nullptr ? nullptr
                         : e == 0                       ? chain.start_tangent
                                                        : step_of(chain.step_tangents, e - 1);
      w.earlier[w.earlier_count++] = {in.keys().slot(then), tape + key.offset, tape + value.offset,
                                      tangent != nullptr && key.active ? tangent + key.offset : nullptr,
                                      tangent != nullptr && value.active ? tangent + value.offset : nullptr};
    }
  }
}

template <class T>
void NeuralStack<T>::run_chain(const Chain& chain, bool derivatives, DoubleRows y) {
  prepare_roll();
  const StackView& view = description_->roll;
  const int ahead = y.count < description_->options.max_horizon ? y.count : description_->options.max_horizon;
  for (int h = 0; h < ahead; ++h) {
    T* tape = step_of(chain.steps, h);
    if (h == 0) {
      hand_on(description_->decode, chain.start, view, tape);
    } else {
      hand_on(view, step_of(chain.steps, h - 1), view, tape);
    }
    look_back(chain, h);
    elastane::run(view.program, pass(view, tape, roll_windows_, derivatives), view.body);
  }
  // the heads of all steps together
  const BasicRows<T> tapes{chain.steps, ahead, roll_floats()};
  run_rows(view.program, pass(view, chain.steps, roll_windows_, derivatives), tapes, view.body);
  for (int h = 0; h < ahead; ++h) {
    read_output(view, tapes[h], {y[h], as_size(outputs())});
  }
}

template <class T>
void NeuralStack<T>::roll_point(DoubleRows y) {
  const FlushDenormals flush;
  run_chain({tape_of<T>(point_), tape_of<T>(point_steps_), nullptr, nullptr}, true, y);
}

template <class T>
void NeuralStack<T>::roll(std::span<const double> z, DoubleRows y) {
  const FlushDenormals flush;
  run_chain({try_out(z), tape_of<T>(trial_steps_), nullptr, nullptr}, false, y);
}

template <class T>
void NeuralStack<T>::roll_tangent(std::span<const double> v, DoubleRows dy) {
  const FlushDenormals flush;
  const StackView &decode = description_->decode, &view = description_->roll;
  const Chain chain{tape_of<T>(point_), tape_of<T>(point_steps_), tape_of<T>(point_change_), tape_of<T>(changes_)};
  const int ahead = dy.count < description_->options.max_horizon ? dy.count : description_->options.max_horizon;
  T* start = chain.start_tangent;
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    if (decode.before[i].active) write_part(description_->parts[i], decode.before[i], v.data(), start);
  }
  run_jvp(decode.program, pass(decode, chain.start, windows_, true), {start, 1, 0}, decode.body);
  for (int h = 0; h < ahead; ++h) {
    T *tape = step_of(chain.steps, h), *tangent = step_of(chain.step_tangents, h);
    if (h == 0) {
      hand_on_tangent(decode, start, view, tangent);
      tangent[view.elapsed.offset] = 0;
    } else {
      const T* previous = step_of(chain.step_tangents, h - 1);
      hand_on_tangent(view, previous, view, tangent);
      tangent[view.elapsed.offset] = previous[view.elapsed_after.offset];
    }
    look_back(chain, h);
    run_jvp(view.program, pass(view, tape, roll_windows_, true), {tangent, 1, 0}, view.body);
  }
  const BasicRows<T> tapes{chain.steps, ahead, roll_floats()}, changes{chain.step_tangents, ahead, roll_floats()};
  run_jvp_rows(view.program, pass(view, chain.steps, roll_windows_, true), tapes, changes, view.body);
  for (int h = 0; h < ahead; ++h) read_change(view, changes[h], dy[h]);
}

template <class T>
void NeuralStack<T>::keep(const std::byte* state) {
  const StackView& view = description_->roll;
  const StateLayout& layout = description_->model.network().layout;
  std::memcpy(&kept_, state, sizeof(kept_));
  const auto* dense = reinterpret_cast<const float*>(state + layout.dense);
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    const StackPart& part = description_->parts[i];
    if (part.stored) load_part(part, view.before[i], dense, kept_.position, tape_of<T>(step_));
  }
}

// c, or zeros
template <class T>
void NeuralStack<T>::load_persistent(const StackView& view, T* tape) const {
  const double* c = input_.persistent;
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    const StackPart& part = description_->parts[i];
    if (part.stored) continue;
    clear_part(view.before[i], tape);
    if (c == nullptr) continue;
    write_part(part, view.before[i], c - part.offset, tape);
    c += part.count();
  }
}

template <class T>
void NeuralStack<T>::run_step() {
  const FlushDenormals flush;
  const StackView& view = description_->roll;
  // the step wrote its own slot only, which is not read
  for (std::size_t i = 0; i < step_windows_.size(); ++i) {
    step_windows_[i] = windows_[i];
    look_from(i, kept_.position, step_spans_, step_windows_[i]);
  }
  T* tape = tape_of<T>(step_);
  load_given(view, tape);
  Pass<T> whole = pass(view, tape, step_windows_, true);
  whole.time = kept_.time;
  run_fixed(view.program, whole);
  elastane::run(view.program, whole);
}

template <class T>
void NeuralStack<T>::begin_step() {
  load_persistent(description_->roll, tape_of<T>(step_));
  run_step();
}

template <class T>
void NeuralStack<T>::begin_step(std::span<const double> carried) {
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    write_part(description_->parts[i], description_->roll.before[i], carried.data(), tape_of<T>(step_));
  }
  run_step();
}

template <class T>
void NeuralStack<T>::kept(std::span<double> carried) const {
  const T* tape = reinterpret_cast<const T*>(step_.data());
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    read_part(description_->parts[i], description_->roll.before[i], tape, carried.data());
  }
}

template <class T>
void NeuralStack<T>::step_value(std::span<double> carried, std::span<double> y) const {
  const StackView& view = description_->roll;
  const T* tape = reinterpret_cast<const T*>(step_.data());
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    read_part(description_->parts[i], view.after[i], tape, carried.data());
  }
  read_output(view, tape, y);
}

template <class T>
void NeuralStack<T>::step_jvp(ConstDoubleRows before, DoubleRows after, DoubleRows dy) {
  const FlushDenormals flush;
  const StackView& view = description_->roll;
  Pass<T> whole = pass(view, tape_of<T>(step_), step_windows_, true);
  whole.time = kept_.time;
  in_batches(view, before.count, [&](int first, BasicRows<T> d) {
    for (int r = 0; r < d.count; ++r) {
      for (std::size_t i = 0; i < description_->parts.size(); ++i) {
        write_part(description_->parts[i], view.before[i], before[first + r], d[r]);
      }
      d[r][view.elapsed.offset] = 0;
    }
    run_jvp(view.program, whole, d);
    for (int r = 0; r < d.count; ++r) {
      for (std::size_t i = 0; i < description_->parts.size(); ++i) {
        if (view.after[i].active) {
          read_part(description_->parts[i], view.after[i], d[r], after[first + r]);
        } else {  // the newest tap of a first block depends on the input alone
          for (int j = 0; j < description_->parts[i].count(); ++j)
            after[first + r][description_->parts[i].offset + j] = 0;
        }
      }
      if (first + r < dy.count) read_change(view, d[r], dy[first + r]);
    }
  });
}

template <class T>
void NeuralStack<T>::commit_step() {
  const FlushDenormals flush;
  store(description_->roll, tape_of<T>(step_), false);
}

#define ELASTANE_STEPS(T)                                                               \
  template void NeuralStack<T>::prepare_roll();                                         \
  template void NeuralStack<T>::look_back(const Chain&, int);                           \
  template void NeuralStack<T>::run_chain(const Chain&, bool, DoubleRows);              \
  template void NeuralStack<T>::roll_point(DoubleRows);                                 \
  template void NeuralStack<T>::roll(std::span<const double>, DoubleRows);              \
  template void NeuralStack<T>::roll_tangent(std::span<const double>, DoubleRows);      \
  template void NeuralStack<T>::keep(const std::byte*);                                 \
  template void NeuralStack<T>::commit_step();                                          \
  template void NeuralStack<T>::load_persistent(const StackView&, T*) const;            \
  template void NeuralStack<T>::run_step();                                             \
  template void NeuralStack<T>::begin_step();                                           \
  template void NeuralStack<T>::begin_step(std::span<const double>);                    \
  template void NeuralStack<T>::kept(std::span<double>) const;                          \
  template void NeuralStack<T>::step_value(std::span<double>, std::span<double>) const; \
  template void NeuralStack<T>::step_jvp(ConstDoubleRows, DoubleRows, DoubleRows)
ELASTANE_STEPS(float);
ELASTANE_STEPS(double);
#undef ELASTANE_STEPS

}  // namespace elastane
