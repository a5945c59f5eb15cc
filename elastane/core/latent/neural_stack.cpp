// Real-time code only.
// Evaluates a step's outputs at changed latents: values, derivatives, commit.
#include "elastane/core/latent/neural_stack.h"

#include <cmath>

#include "elastane/core/base/denormals.h"
#include "elastane/core/latent/stack_rows.h"

namespace elastane {
namespace {

template <class T>
T* tape_of(const Buffer& buffer) {
  return reinterpret_cast<T*>(const_cast<std::byte*>(buffer.data()));
}

float admissible(double v) { return std::fabs(v) <= kStateLimit ? static_cast<float>(v) : 0.0F; }

}  // namespace

template <class T>
Pass<T> NeuralStack<T>::pass(const StackView& view, T* tape, const std::vector<Window<T>>& windows,
                             bool derivatives) const {
  return {.k = *description_->model.network().k,
          .tape = tape,
          .windows = windows.data(),
          .time = state_ == nullptr ? 0.0 : state().header().time,
          .derivatives = derivatives,
          .scratch = tape_of<T>(scratch_),
          .scratch_stride = view.program.scratch_floats};
}

template <class T>
BasicRows<T> NeuralStack<T>::tangents(const StackView& view, int count) const {
  return {tape_of<T>(rows_), count, view.program.tape_floats};
}

template <class T>
std::uint64_t NeuralStack<T>::position() const {
  const std::uint64_t steps = state().header().position;
  return steps > 0 ? steps - 1 : 0;
}

// everything that is not a latent, from the bound state and the step's input
template <class T>
void NeuralStack<T>::load_given(const StackView& view, T* tape) const {
  tape[view.dt.offset] = static_cast<T>(input_.dt);
  tape[view.elapsed.offset] = 0;
  const float* encoded = state().encoded();
  for (int i = 0; i < view.encoded.lanes(); ++i) tape[view.encoded.offset + i] = encoded[i];
  const int seen = static_cast<int>(input_.normalised.size());
  for (int i = 0; i < view.normalised.lanes(); ++i) {
    tape[view.normalised.offset + i] = i < seen && i < view.normalised.n ? input_.normalised[i] : 0.0F;
  }
}

template <class T>
void NeuralStack<T>::bind_windows() {
  const std::uint64_t at = position();
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const int modes = description_->decode.windows[i].modes;
    windows_[i] = {.panels = state().ring() + description_->decode.windows[i].window.begin,
                   .modes = modes < 0 ? nullptr : state().dense() + modes};
    look_from(i, at, decode_spans_, windows_[i]);
  }
}

// what block i sees at a position, and where that step's own slot is
template <class T>
void NeuralStack<T>::look_from(std::size_t i, std::uint64_t at, Spans& spans, Window<T>& w) {
  const KeyValueWindow& window = description_->decode.windows[i].window;
  const auto list = [&](HeadMode mode, std::vector<WindowSpan>& to) -> WindowSpans {
    const int count = list_blocks(window, mode, at, list_.data());
    WindowSpan* first = to.data() + i * list_.size();
    for (int b = 0; b < count; ++b) {
      const KeyBlock& block = list_[b];
      const int oldest = 1 - block.from - block.reach, end = 1 - block.from;
      first[b] = {block.panel, oldest > 0 ? oldest : 0, end < window.shape.block ? end : window.shape.block};
    }
    return {first, count};
  };
  w.full = list(HeadMode::full, spans.full);
  w.stream = w.modes == nullptr ? w.full : list(HeadMode::stream, spans.stream);
  w.own = window.keys().slot(at);
}

template <class T>
void NeuralStack<T>::bind(std::byte* bound, const StepInput& input) {
  const FlushDenormals flush;
  const StackView& view = description_->decode;
  const NormaliserConfig& normaliser = description_->model.config().normaliser;
  state_ = bound;
  input_ = input;
  roll_prepared_ = false;
  has_tried_ = false;
  for (std::size_t j = 0; j < normaliser.restore.size(); ++j) {
    if (normaliser.restore[j] < 0) continue;
    const ChannelStatistics& s = state().statistics()[normaliser.restore[j]];
    restored_[j] = {s.level, scale(normaliser.epsilon, s)};
  }
  bind_windows();
  T *point = tape_of<T>(point_), *trial = tape_of<T>(trial_);
  load_given(view, point);
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    if (!view.before[i].active) load_part(description_->parts[i], view.before[i], state().dense(), position(), point);
  }
  run_fixed(view.program, pass(view, point, windows_, false));
  share(view.program, point, trial);
}

template <class T>
void NeuralStack<T>::latents_from_state(std::span<double> z) const {
  const double* c = input_.persistent;
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    const StackPart& part = description_->parts[i];
    if (!description_->decode.before[i].active) continue;
    if (part.stored) {
      read_part(part, {part.state.dense, 0}, state().dense(), z.data());
    } else {
      for (int j = 0; j < part.count(); ++j) z[part.offset + j] = c != nullptr ? *c++ : 0.0;
    }
  }
}

template <class T>
void NeuralStack<T>::commit(std::span<const double> z) {
  const FlushDenormals flush;
  store(description_->decode, try_out(z), true);
}

// latents, the newest taps, this step's keys and values, and the encoded input into the bound state
template <class T>
void NeuralStack<T>::store(const StackView& view, const T* tape, bool moving_only) {
  for (int i = 0; (view.hidden.active || !moving_only) && i < view.hidden.n; ++i) {
    state().encoded()[i] = admissible(tape[view.hidden.offset + i]);
  }
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    const StackPart& part = description_->parts[i];
    const bool newest = part.state.taps > 0 && part.state.lag == 1;
    const bool moves = view.after[i].active || !moving_only;
    if (!part.stored || !moves || (part.state.taps > 0 && !newest)) continue;
    // the newest tap now will be the tap of one step ago: it lies one slot further
    float* to = part_of_state(part, state().dense(), position() + (newest ? 1 : 0));
    const T* from = tape + view.after[i].offset;
    for (int row = 0, stride = padded(part.state.n); row < part.state.rows; ++row) {
      for (int j = row * stride; j < row * stride + part.state.n; ++j) to[j] = admissible(from[j]);
    }
  }
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const auto& [window, key, value, modes] = view.windows[i];
    const int size = window.shape.size, channels = window.shape.kv_heads * size;
    float* keys = state().ring() + window.keys().first(position());
    for (int j = 0; (key.active || !moving_only) && j < channels; ++j) {
      keys[j * window.shape.block] = admissible(tape[key.offset + j]);
    }
    for (int j = 0; (value.active || !moving_only) && j < channels; ++j) {
      state().ring()[window.values(j / size).first(position()) + j % size] = admissible(tape[value.offset + j]);
    }
  }
}

template <class T>
LatentCost NeuralStack<T>::cost() const {
  const Program &decode = description_->decode.program, &roll = description_->roll.program;
  return {.read = decode.value_macs,
          .jvp = decode.jvp_macs,
          .vjp = decode.vjp_macs,
          .second = 2 * decode.jvp_macs,
          .roll = roll.value_macs,
          .roll_jvp = roll.jvp_macs};
}

template <class T>
void NeuralStack<T>::evaluate(std::span<const double> z, T* tape, bool derivatives) const {
  const StackView& view = description_->decode;
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    if (view.before[i].active) write_part(description_->parts[i], view.before[i], z.data(), tape);
  }
  run(view.program, pass(view, tape, windows_, derivatives));
}

// The trial tape at z. The same z is read, rolled and committed, so it is computed only once
template <class T>
T* NeuralStack<T>::try_out(std::span<const double> z) {
  T* tape = tape_of<T>(trial_);
  bool same = has_tried_;
  for (std::size_t i = 0; same && i < tried_.size(); ++i) same = tried_[i] == z[i];
  if (same) return tape;
  evaluate(z, tape, false);
  for (std::size_t i = 0; i < tried_.size(); ++i) tried_[i] = z[i];
  has_tried_ = true;
  return tape;
}

// y = level + scale·raw, in double: levels may be large
template <class T>
void NeuralStack<T>::read_output(const StackView& view, const T* tape, std::span<double> y) const {
  for (std::size_t j = 0; j < y.size(); ++j) {
    y[j] = restored_[j].level + restored_[j].scale * static_cast<double>(tape[view.output.offset + j]);
  }
}

template <class T>
void NeuralStack<T>::read_change(const StackView& view, const T* tangent, double* dy) const {
  for (int j = 0; j < outputs(); ++j) {
    // a stack without a latent does not move
    dy[j] = view.output.active ? restored_[j].scale * static_cast<double>(tangent[view.output.offset + j]) : 0.0;
  }
}

template <class T>
void NeuralStack<T>::linearise(std::span<const double> z, std::span<double> y) {
  const FlushDenormals flush;
  evaluate(z, tape_of<T>(point_), true);
  read_output(description_->decode, tape_of<T>(point_), y);
}

template <class T>
void NeuralStack<T>::output(std::span<const double> z, std::span<double> y) {
  const FlushDenormals flush;
  read_output(description_->decode, try_out(z), y);
}

template <class T>
void NeuralStack<T>::jvp(ConstDoubleRows q, DoubleRows jq) {
  const FlushDenormals flush;
  const StackView& view = description_->decode;
  in_batches(view, q.count, [&](int first, BasicRows<T> d) {
    for (std::size_t i = 0; i < description_->parts.size(); ++i) {
      if (!view.before[i].active) continue;
      for (int r = 0; r < d.count; ++r) write_part(description_->parts[i], view.before[i], q[first + r], d[r]);
    }
    run_jvp(view.program, pass(view, tape_of<T>(point_), windows_, true), d);
    for (int r = 0; r < d.count; ++r) read_change(view, d[r], jq[first + r]);
  });
}

template <class T>
void NeuralStack<T>::vjp(ConstDoubleRows w, DoubleRows jtw) {
  const FlushDenormals flush;
  const StackView& view = description_->decode;
  in_batches(view, w.count, [&](int first, BasicRows<T> a) {
    for (int r = 0; r < a.count; ++r) {
      T* to = a[r] + view.output.offset;
      for (int j = 0; j < view.output.lanes(); ++j) {
        to[j] = j < outputs() ? static_cast<T>(restored_[j].scale * w[first + r][j]) : T{0};
      }
    }
    run_vjp(view.program, pass(view, tape_of<T>(point_), windows_, true), a);
    read_adjoints(a, jtw.slice(first, a.count));
  });
}

template <class T>
void NeuralStack<T>::read_adjoints(BasicRows<T> a, DoubleRows to) const {
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    const Source& z = description_->decode.before[i];
    for (int r = 0; z.active && r < a.count; ++r) read_part(description_->parts[i], z, a[r], to[r]);
  }
}

template <class T>
void NeuralStack<T>::jacobian(ConstDoubleRows units, DoubleRows rows) {
  const FlushDenormals flush;
  const StackView& view = description_->decode;
  in_batches(view, units.count, [&](int first, BasicRows<T> a) {
    run_vjp_units(view.program, pass(view, tape_of<T>(point_), windows_, true), view.output, first, a);
    read_adjoints(a, rows.slice(first, a.count));
    for (int r = first; r < first + a.count; ++r) {
      const double scale = restored_[r].scale;
      for (int i = 0; scale != 1 && i < description_->latents; ++i) rows[r][i] *= scale;
    }
  });
}

template <class T>
void NeuralStack<T>::second(std::span<const double> q, std::span<double> d2) {
  const FlushDenormals flush;
  const StackView& view = description_->decode;
  const BasicRows<T> d = tangents(view, 2);
  for (std::size_t i = 0; i < description_->parts.size(); ++i) {
    if (!view.before[i].active) continue;
    write_part(description_->parts[i], view.before[i], q.data(), d[0]);
    clear_part(view.before[i], d[1]);  // latents move in a straight line
  }
  run_second(view.program, pass(view, tape_of<T>(point_), windows_, true), d);
  read_change(view, d[1], d2.data());
}

#define ELASTANE_READS(T)                                                                                 \
  template Pass<T> NeuralStack<T>::pass(const StackView&, T*, const std::vector<Window<T>>&, bool) const; \
  template BasicRows<T> NeuralStack<T>::tangents(const StackView&, int) const;                            \
  template std::uint64_t NeuralStack<T>::position() const;                                                \
  template void NeuralStack<T>::load_given(const StackView&, T*) const;                                   \
  template void NeuralStack<T>::bind_windows();                                                           \
  template void NeuralStack<T>::look_from(std::size_t, std::uint64_t, Spans&, Window<T>&);                \
  template void NeuralStack<T>::evaluate(std::span<const double>, T*, bool) const;                        \
  template T* NeuralStack<T>::try_out(std::span<const double>);                                           \
  template void NeuralStack<T>::read_output(const StackView&, const T*, std::span<double>) const;         \
  template void NeuralStack<T>::read_change(const StackView&, const T*, double*) const;                   \
  template void NeuralStack<T>::bind(std::byte*, const StepInput&);                                       \
  template void NeuralStack<T>::latents_from_state(std::span<double>) const;                              \
  template void NeuralStack<T>::store(const StackView&, const T*, bool);                                  \
  template void NeuralStack<T>::commit(std::span<const double>);                                          \
  template LatentCost NeuralStack<T>::cost() const;                                                       \
  template void NeuralStack<T>::linearise(std::span<const double>, std::span<double>);                    \
  template void NeuralStack<T>::output(std::span<const double>, std::span<double>);                       \
  template void NeuralStack<T>::jvp(ConstDoubleRows, DoubleRows);                                         \
  template void NeuralStack<T>::vjp(ConstDoubleRows, DoubleRows);                                         \
  template void NeuralStack<T>::read_adjoints(BasicRows<T>, DoubleRows) const;                            \
  template void NeuralStack<T>::jacobian(ConstDoubleRows, DoubleRows);                                    \
  template void NeuralStack<T>::second(std::span<const double>, std::span<double>)
ELASTANE_READS(float);
ELASTANE_READS(double);
#undef ELASTANE_READS

}  // namespace elastane
