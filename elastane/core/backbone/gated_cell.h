// What gru and lstm share: gates that are linear in the input and in the hidden state h, which heads the block's state.
#pragma once

#include <cmath>

#include "elastane/core/backbone/batch.h"
#include "elastane/core/math/binder.h"

namespace elastane {

struct GatedCell {
  int width, hidden;
  StateSlot slot;

  PackedMatrix weight_ih;  // [gate][hidden] x width
  const float* bias_ih;
  PackedMatrix weight_hh;  // [gate][hidden] x hidden
  const float* bias_hh;

  int out_size() const { return hidden; }
};

// scratch of one call
struct GateScratch {
  Rows gi;  // gates from the input
  Rows gh;  // gates from the state
  Rows h;   // states of independent rows, side by side
};
inline GateScratch scratch_of(const GatedCell& cell, float* scratch, int rows) {
  Carver carve(scratch, rows);
  return {.gi = carve.take(cell.weight_ih.rows), .gh = carve.take(cell.weight_hh.rows), .h = carve.take(cell.hidden)};
}
std::size_t scratch_floats(const GatedCell& cell, int rows);

void project(const GatedCell& cell, const BlockCall& call);                            // gi = W_ih u + b_ih
void state_gates(const GatedCell& cell, const BlockCall& call, int first, int count);  // gh = W_hh h + b_hh
void read(const GatedCell& cell, const BlockCall& call, int first, int count);         // o = h
void finish(const GatedCell& cell, const BlockCall& call);

inline GatedCell bind_gates(int hidden, int width, std::initializer_list<int> groups, Binder& binder) {
  GatedCell cell{};
  cell.width = width;
  cell.hidden = hidden;
  const auto start = uniform(1.0 / std::sqrt(static_cast<double>(hidden)));
  cell.weight_ih = binder.matrix("weight_ih_l0", groups, width);
  cell.bias_ih = binder.vector("bias_ih_l0", groups, start);
  cell.weight_hh = binder.matrix("weight_hh_l0", groups, hidden);
  cell.bias_hh = binder.vector("bias_hh_l0", groups, start);
  return cell;
}

}  // namespace elastane
