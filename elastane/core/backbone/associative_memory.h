// A matrix M that is written and read by keys, in heads, with a gate that decides which steps write.
//
//   e = v − αMᵀk        M ← αM + g eᵀ  where the gate opens        o = Mᵀq, after the write
//
//   delta           g = βk: one step of length β on ½‖Mᵀk − v‖²; the residual of k shrinks to 1 − β‖k‖² of it
//   least squares   g = βPk/(R + βkᵀPk), P ← P − g(Pk)ᵀ, P = I at the start: each pair counts as often as it was seen,
//                   in any order. Where the residual is `inflate` times what P lets expect, the key is known and its
//                   value is new: P is first set back to the start along k, so that kᵀPk = 1. Every write also takes P
//                   the share `relax` of the way back to I. One stored triangle of P: in float32 the difference of two
//                   would grow (docs/decisions/0023).
//
// A closed gate changes no byte of M and P. Where every step writes, the write is kept aside, and the next step makes it
// in the pass in which it reads: one pass over M instead of two.
#pragma once

#include "elastane/core/allocation/write_gate.h"
#include "elastane/core/backbone/state_classes.h"
#include "elastane/core/math/kernels.h"

namespace elastane {

// what one step brings, and where it works; rows of heads follow each other, each padded to kLane
struct MemoryStep {
  const Kernels& k;
  const float *key, *query, *value;  // unit keys and queries [head][key_floats], values [head][value_floats]
  const float *strength, *keep;      // β and α in [0, 1] [head]
  float* store;                      // M and P
  SlowState* slow;                   // through which they are written; null: they are written in place
  float* aside;                      // [aside_floats]
  float* work;                       // [work_floats]
  float* out;                        // o [head][value_floats]
};

struct MemoryReport {
  bool wrote = false;
  double surprise = 0;  // ‖e‖²/‖v‖² over all heads; at most 1e12, and 0 where nothing is known
};

struct AssociativeMemory {
  int heads = 1, keys = 1, values = 1;  // keys and values: channels in one head
  WriteRule rule = WriteRule::delta;
  double noise = 0.05, relax = 0, inflate = 0;
  WriteGate gate = {};

  bool writes_later() const { return gate.policy == WritePolicy::always; }
  int key_floats() const { return padded(keys); }
  int value_floats() const { return padded(values); }
  int matrix_floats() const { return keys * value_floats(); }
  int triangle_floats() const { return rule == WriteRule::least_squares ? padded(keys * (keys + 1) / 2) : 0; }
  int head_floats() const { return matrix_floats() + triangle_floats(); }  // M, then P
  int floats() const { return heads * head_floats(); }

  // aside: for every head the write that is still to be made [α][g][e], then what the gate keeps
  int pending_floats() const { return writes_later() ? kLane + key_floats() + value_floats() : 0; }
  int aside_floats() const { return heads * pending_floats() + padded(gate.floats()); }
  int work_floats() const { return heads * (2 * value_floats() + key_floats()); }

  std::int64_t read_macs() const { return 2 * std::int64_t{heads} * keys * values; }
  std::int64_t write_macs() const {
    const std::int64_t spread = rule == WriteRule::least_squares ? 2 * keys : 0;  // Pk, and two updates of half of P
    return heads * std::int64_t{keys} * (values + spread);
  }

  void start(float* store, float* aside) const;
  MemoryReport advance(const MemoryStep& step) const;

 private:
  struct Residual {
    double error = 0, value = 0;  // squares
  };
  float* pending(float* aside, int head) const { return aside + head * pending_floats(); }
  Residual read(const MemoryStep& step, int head) const;
  void write(const MemoryStep& step, int head, double surprise, float* store) const;
  void set_gain(const MemoryStep& step, int head, double surprise, float* triangle, float* gain) const;
  void fill_identity(float* triangle) const;
};

}  // namespace elastane
