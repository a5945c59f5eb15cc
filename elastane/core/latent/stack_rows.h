// Copies between carried rows, which are doubles without padding, and the padded registers of a tape.
#pragma once

#include "elastane/core/latent/stack_description.h"

namespace elastane {

// one part of a carried row onto the tape; the padding becomes zero
template <class T>
inline void write_part(const StackPart& part, Register r, const double* carried, T* tape) {
  const int stride = padded(part.state.n);
  const double* from = carried + part.offset;
  T* to = tape + r.offset;
  for (int row = 0; row < part.state.rows; ++row, from += part.state.n, to += stride) {
    for (int i = 0; i < part.state.n; ++i) to[i] = static_cast<T>(from[i]);
    for (int i = part.state.n; i < stride; ++i) to[i] = 0;
  }
  for (T* end = tape + r.offset + r.lanes(); to < end; ++to) *to = 0;
}

template <class T>
inline void clear_part(Register r, T* tape) {
  for (int i = 0; i < r.lanes(); ++i) tape[r.offset + i] = 0;
}

template <class T>
inline void read_part(const StackPart& part, Register r, const T* tape, double* carried) {
  const T* from = tape + r.offset;
  double* to = carried + part.offset;
  for (int row = 0; row < part.state.rows; ++row, to += part.state.n, from += padded(part.state.n)) {
    for (int i = 0; i < part.state.n; ++i) to[i] = static_cast<double>(from[i]);
  }
}

// where a part lies in a state whose last step, or the one to come, is at `position`
template <class Float>
inline Float* part_of_state(const StackPart& part, Float* dense, std::uint64_t position) {
  const StatePart& s = part.state;
  if (s.taps == 0) return dense + s.dense;
  const auto taps = static_cast<std::uint64_t>(s.taps), lag = static_cast<std::uint64_t>(s.lag);
  const std::uint64_t slot = (position % taps + taps - lag) % taps;
  return dense + s.dense + static_cast<std::ptrdiff_t>(slot) * padded(s.n);
}

// the same part from a state; its padding is zero there as well
template <class T>
inline void load_part(const StackPart& part, Register r, const float* dense, std::uint64_t position, T* tape) {
  const float* from = part_of_state(part, dense, position);
  for (int i = 0; i < r.lanes(); ++i) tape[r.offset + i] = from[i];
}

}  // namespace elastane
