// Values of many ids in a table of fixed size: an id touches a few slots, and its value is their sum.
//
//   slots s₁ … s_m of the id, one in each part of the table        v̂ = Σ M[s_i]
//   P[s_i] ← P[s_i] + drift      g_i = P[s_i]/(R + Σ P[s_j])      M[s_i] ← M[s_i] + g_i(v − v̂)      P[s_i] ← P[s_i](1 − g_i)
//
// Least squares as in associative_memory.h, for keys of m ones among zeros and with the diagonal of P alone: a step touches
// m·(1 + values) floats, however many ids there are. Ids that share a slot disturb each other; ids that share all of them,
// as when there are more ids than slots, have one value between them. Where a residual is beyond `alarm` deviations of what
// P lets expect, the id has changed, and its P starts again. A table without a slot for each part recalls zeros and keeps
// nothing.
#pragma once

#include <cstdint>

namespace elastane {

struct HashedMemory {
  int slots = 4096;    // of the whole table, a multiple of `touched`
  int touched = 4;     // per id
  int values = 1;      // channels
  double noise = 0.1;  // R
  double drift = 0;    // what a visit adds to the variance of a slot
  double alarm = 0;    // 0: never
  bool exact = false;  // the id is the slot, modulo the slots of a part: a table

  int floats() const { return slots * (1 + values); }  // per slot its variance, then its values
  int touched_floats() const { return touched * (1 + values); }

  void start(float* table) const;
  void recall(std::uint64_t id, const float* table, float* value) const;
  // A value that is not finite changes nothing. `estimate` is what was known before, [values]
  void write(std::uint64_t id, const float* value, float* table, float* estimate) const;

 private:
  bool has_slots() const { return touched > 0 && slots >= touched; }
  float* slot(std::uint64_t id, int part, float* table) const;
};

}  // namespace elastane
