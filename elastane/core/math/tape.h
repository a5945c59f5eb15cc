// Where a program keeps its numbers: one flat tape of values, and rows of the same layout for tangents and adjoints.
//
// A register is a stretch of the tape, padded to kLane. Every pass writes whole lanes, so nothing of an earlier pass is
// left over, and padding that is multiplied by a weight is finite.
#pragma once

#include "elastane/core/base/view.h"
#include "elastane/core/math/inner.h"
#include "elastane/core/math/kernels.h"

namespace elastane {

struct Register {
  int offset = 0;  // a multiple of kLane
  int n = 0;       // true length

  int lanes() const { return padded(n); }
  bool exists() const { return n > 0; }
  Register part(int first, int count) const { return {offset + first, count}; }  // `first` a multiple of kLane
};

// what an operation reads
struct Source : Register {
  bool active = false;  // depends on the latents, so it has a tangent and an adjoint
  bool add = false;     // its adjoint was already written, so add to it
};

// a key and a value of an earlier step that is not in the ring yet, with their tangents (of one direction) or null
template <class T>
struct WindowEntry {
  int slot;
  const T *key, *value;
  const T *key_tangent, *value_tangent;
};

// keys [first, last) of a panel
struct WindowSpan {
  int panel, first, last;
};
struct WindowSpans {
  const WindowSpan* first = nullptr;
  int count = 0;

  const WindowSpan* begin() const { return first; }
  const WindowSpan* end() const { return first + count; }
};

// what one attention block sees of the past: panels of keys and values (AttentionShape), some slots of which are
// replaced. Slot s is key s mod block of panel s / block.
template <class T>
struct Window {
  const float* panels = nullptr;
  WindowSpans full, stream;           // what heads of either mode see, this step included
  const float* modes = nullptr;       // of every key head, 1 where it streams; null: all are full
  int own = 0;                        // this step's slot
  WindowEntry<T>* earlier = nullptr;  // steps ahead that came before this one
  int earlier_count = 0;

  const WindowSpans& spans(int head) const { return modes != nullptr && modes[head] == 1.0F ? stream : full; }
};

// one pass over a program
template <class T>
struct Pass {
  const Kernels& k;
  T* tape;
  const Window<T>* windows = nullptr;
  double time = 0;           // the stream's time where the tape begins
  bool derivatives = false;  // also compute what derivatives need?
  T* scratch = nullptr;      // rows of the widest register
  int scratch_stride = 0;

  T* operator[](Register r) const { return tape + r.offset; }
};

// a register of every row
template <class T>
inline BasicRows<T> at(BasicRows<T> rows, Register r) {
  return {rows.data + r.offset, rows.count, rows.stride};
}

// to ← f, or to ← to + f, elementwise
template <class T, class F>
inline void put(T* to, int n, bool add, F f) {
  if (add) {
    for (int i = 0; i < n; ++i) to[i] += f(i);
  } else {
    for (int i = 0; i < n; ++i) to[i] = f(i);
  }
}

}  // namespace elastane
