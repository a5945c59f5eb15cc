// Real-time code only.
#include "elastane/core/backbone/mamba.h"

namespace elastane {

MambaScratch scratch_of(const Mamba& m, float* scratch, int rows) {
  Carver carve(scratch, rows);
  return {.xz = carve.take(m.in_proj.rows),
          .x = carve.take(m.inner),
          .dbc = carve.take(m.x_proj.rows),
          .delta = carve.take(m.inner),
          .y = carve.take(m.inner)};
}

std::size_t scratch_floats(const Mamba& m, int rows) {
  return static_cast<std::size_t>(rows) * (m.in_proj.rows + m.x_proj.rows + 3 * padded(m.inner));
}

void project(const Mamba& m, const BlockCall& call) {
  const MambaScratch s = scratch_of(m, call.scratch, call.u.count);
  const int n = padded(m.inner);
  call.k.linear(m.in_proj, nullptr, call.u, s.xz);
  for (int r = 0; r < call.u.count; ++r) {
    // the ring turns with the stream's own position, so nothing is shifted
    const int newest = static_cast<int>(call.rows[r].position % m.taps);
    call.k.convolve(m.conv_weight, m.conv_bias, m.taps, newest, s.xz[r], n, call.rows[r].dense + m.slot.dense, s.x[r]);
  }
  call.k.linear(m.x_proj, nullptr, s.x, s.dbc);
  call.k.linear(m.dt_proj, m.dt_bias, s.dbc, s.delta);  // δ comes first in a row of [δ; B; C]
  for (int r = 0; r < call.u.count; ++r) {
    call.k.softplus(call.rows[r].dt, s.delta[r], n);
    call.k.bound(kDriveLimit, s.dbc[r] + padded(m.rank), padded(m.states));  // B
  }
}

void advance(const Mamba& m, const BlockCall& call, int first, int count) {
  const MambaScratch s = scratch_of(m, call.scratch, call.u.count);
  for (int r = first; r < first + count; ++r) {
    call.k.selective_advance(m.a, s.delta[r], s.x[r], s.dbc[r] + padded(m.rank), m.states, padded(m.inner),
                             call.rows[r].dense + m.slot.dense + m.conv_floats());
  }
}

void read(const Mamba& m, const BlockCall& call, int first, int count) {
  const MambaScratch s = scratch_of(m, call.scratch, call.u.count);
  for (int r = first; r < first + count; ++r) {
    call.k.selective_read(s.dbc[r] + padded(m.rank) + padded(m.states), m.skip, s.x[r],
                          call.rows[r].dense + m.slot.dense + m.conv_floats(), m.states, padded(m.inner), s.y[r]);
  }
}

void finish(const Mamba& m, const BlockCall& call) {
  const MambaScratch s = scratch_of(m, call.scratch, call.u.count);
  const int n = padded(m.inner);
  for (int r = 0; r < call.u.count; ++r) {
    float* z = s.xz[r] + n;
    call.k.activate(Activation::silu, z, n);
    call.k.multiply(z, s.y[r], n);
  }
  call.k.linear(m.out_proj, nullptr, s.y, call.out);
}

}  // namespace elastane
