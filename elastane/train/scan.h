// Recurrences over whole sequences, forward and backward, as training needs them. A call is one sequence and some of
// its channels, so that threads can share the rest.
//
//   leaky       z_t = z_{t−1} + e_t(z_{t−1} − b_t)                                 the selective block
//   diagonal    s_t = s_{t−1} + (Ēs_{t−1} + B̄u_t)         y_t = Re Σ C s_t         s4d; complex numbers
//   selective   s_t = e^(Δ_t A)s_{t−1} + Δ_t x_t B_t       y_t = Σ C_t s_t          mamba
//
// Sequences are rows of channels; states are planes [state][channel], as the core keeps them. Of the states only every
// kSpan-th is kept for the backward pass, which computes the others again: memory is a kSpan-th of what a graph would hold.
// Forms with e = a − 1 keep the time constants of slow modes, which a float next to one would round away.
//
// Every kernel has a naive twin of the same name in scan_reference.h, which is its oracle, and which computes in
// double.
#pragma once

#include "elastane/core/math/kernels.h"

namespace elastane::train {

inline constexpr int kSpan = 32;   // steps between kept states
inline constexpr int kGroup = 64;  // channels of one call, at most; fixed, so that sums do not depend on threads

constexpr int spans(int length) { return (length + kSpan - 1) / kSpan; }

// which part of a sequence a call computes
struct ScanPart {
  int length, channels;
  int first, count;  // channels first … first + count − 1
};

template <class T>
struct LeakyScan {
  ScanPart part;
  const T *e, *b;  // [t][channel]
  const T* start;  // [channel]
  T* z;            // [t][channel], an output of the forward pass, an input of the backward pass
};
template <class T>
struct LeakyGradients {
  const T* z;  // given, of every z
  T *e, *b;    // found
  T* start;
};

template <class T>
struct DiagonalScan {
  ScanPart part;
  int pairs;
  const T *e, *b;  // Ē and B̄ [part: re, im][pair][channel], of step 0
  int step;        // from a step's Ē and B̄ to the next one's; 0: the same for all
  const T* c;      // [part][pair][channel]
  const T* u;      // [t][channel]
  const T* start;  // [part][pair][channel]
  T* y;            // [t][channel]
  T* end;          // like start
  T* kept;         // states before steps 0, kSpan, 2·kSpan, …; null: not kept
};
template <class T>
struct DiagonalGradients {
  const T *y, *end;  // given
  T *e, *b, *c;      // found: this sequence's share; of e and b like the originals, with the same step
  T *u, *start;
};

template <class T>
struct SelectiveScan {
  ScanPart part;
  int states;
  const T* a;          // A [state][channel]
  const T *delta, *x;  // [t][channel]
  const T *b, *c;      // [t][state]
  const T* start;      // [state][channel]
  T* y;                // [t][channel]
  T* end;              // like start
  T* kept;             // states before steps 0, kSpan, 2·kSpan, …; null: not kept
};
template <class T>
struct SelectiveGradients {
  const T *y, *end;  // given
  T* a;              // found: this sequence's share
  T *delta, *x;
  T *b, *c;  // the share of these channels
  T* start;
};

struct ScanKernels {
  Isa isa;
  void (*leaky)(const LeakyScan<float>& scan);
  void (*leaky_back)(const LeakyScan<float>& scan, const LeakyGradients<float>& g);
  void (*diagonal)(const DiagonalScan<float>& scan);
  void (*diagonal_back)(const DiagonalScan<float>& scan, const DiagonalGradients<float>& g);
  void (*selective)(const SelectiveScan<float>& scan);
  void (*selective_back)(const SelectiveScan<float>& scan, const SelectiveGradients<float>& g);
};

// the best this machine has, or those of an instruction set
const ScanKernels& scan_kernels();
Result<const ScanKernels*> scan_kernels(Isa isa);

}  // namespace elastane::train
