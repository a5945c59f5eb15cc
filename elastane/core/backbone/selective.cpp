// Real-time code only.
#include "elastane/core/backbone/selective.h"

#include <cstring>

namespace elastane {
namespace {

// a row's [Δ; b]: its step, and the drive that z follows
Rows scratch_of(const Selective& s, const BlockCall& call) {
  return Carver(call.scratch, call.u.count).take(s.weight.rows);
}

}  // namespace

std::size_t scratch_floats(const Selective& s, int rows) { return static_cast<std::size_t>(rows) * s.weight.rows; }

void project(const Selective& s, const BlockCall& call) {
  const Rows gates = scratch_of(s, call);
  call.k.linear(s.weight, s.bias, call.u, gates);
  for (int r = 0; r < call.u.count; ++r) call.k.softplus(call.rows[r].dt, gates[r], padded(s.hidden));
}

void advance(const Selective& s, const BlockCall& call, int first, int count) {
  const Rows gates = scratch_of(s, call);
  const int n = padded(s.hidden);
  for (int r = first; r < first + count; ++r) {
    call.k.leaky_advance(s.a, gates[r], gates[r] + n, n, call.rows[r].dense + s.slot.dense);
  }
}

void read(const Selective& s, const BlockCall& call, int first, int count) {
  for (int r = first; r < first + count; ++r) {
    std::memcpy(call.out[r], call.rows[r].dense + s.slot.dense, sizeof(float) * padded(s.hidden));
  }
}

void finish(const Selective&, const BlockCall&) {}

}  // namespace elastane
