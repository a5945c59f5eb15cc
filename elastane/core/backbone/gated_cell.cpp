// Real-time code only.
#include "elastane/core/backbone/gated_cell.h"

#include <cstring>

namespace elastane {

std::size_t scratch_floats(const GatedCell& cell, int rows) {
  return static_cast<std::size_t>(rows) * (cell.weight_ih.rows + cell.weight_hh.rows + padded(cell.hidden));
}

void project(const GatedCell& cell, const BlockCall& call) {
  const GateScratch s = scratch_of(cell, call.scratch, call.u.count);
  call.k.linear(cell.weight_ih, cell.bias_ih, call.u, s.gi);
}

void state_gates(const GatedCell& cell, const BlockCall& call, int first, int count) {
  const GateScratch s = scratch_of(cell, call.scratch, call.u.count);
  if (count == 1) {
    const float* h = call.rows[first].dense + cell.slot.dense;
    return call.k.linear(cell.weight_hh, cell.bias_hh, {h, 1, s.h.stride}, s.gh.slice(first, 1));
  }
  // gather h, so that one pass over the weights serves all rows
  for (int r = first; r < first + count; ++r) {
    std::memcpy(s.h[r], call.rows[r].dense + cell.slot.dense, sizeof(float) * padded(cell.hidden));
  }
  call.k.linear(cell.weight_hh, cell.bias_hh, s.h.slice(first, count), s.gh.slice(first, count));
}

void read(const GatedCell& cell, const BlockCall& call, int first, int count) {
  for (int r = first; r < first + count; ++r) {
    std::memcpy(call.out[r], call.rows[r].dense + cell.slot.dense, sizeof(float) * padded(cell.hidden));
  }
}

void finish(const GatedCell&, const BlockCall&) {}

}  // namespace elastane
