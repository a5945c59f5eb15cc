// Real-time code only.
#include "elastane/core/backbone/mlp.h"

namespace elastane {

std::size_t scratch_floats(const Mlp& m, int rows) { return 2 * static_cast<std::size_t>(rows) * padded(m.hidden); }

void project(const Mlp&, const BlockCall&) {}
void advance(const Mlp&, const BlockCall&, int, int) {}
void read(const Mlp&, const BlockCall&, int, int) {}

void finish(const Mlp& m, const BlockCall& call) {
  Carver carve(call.scratch, call.u.count);
  const Rows up = carve.take(m.hidden), gate = carve.take(m.hidden);
  const int n = padded(m.hidden);
  call.k.linear(m.up, m.up_bias, call.u, up);
  if (m.gated) call.k.linear(m.gate, m.gate_bias, call.u, gate);
  for (int r = 0; r < call.u.count; ++r) {
    call.k.activate(m.activation, m.gated ? gate[r] : up[r], n);
    if (m.gated) call.k.multiply(gate[r], up[r], n);
  }
  call.k.linear(m.down, m.down_bias, up, call.out);
}

}  // namespace elastane
