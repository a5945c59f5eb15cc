#include "elastane/core/backbone/attention.h"
#include "elastane/core/backbone/description.h"

namespace elastane {

Register describe(const Attention& a, Register u, Description& d) {
  ProgramBuilder& ops = d.ops;
  const int width = padded(a.width);
  const Register qkv = ops.linear(a.qkv, nullptr, u, a.qkv.rows);
  Register q = qkv.part(0, a.width), k = qkv.part(width, a.kv);
  const Register v = qkv.part(width + padded(a.kv), a.kv);
  if (a.frequency != nullptr) {
    const ProgramBuilder::Angles angles = ops.turn(a.frequency, a.shape.size / 2, d.elapsed);
    q = ops.rotate(angles, q, a.shape.heads, a.shape.size);
    k = ops.rotate(angles, k, a.shape.kv_heads, a.shape.size);
  }
  const int window = d.window(a.window(), k, v, a.elastic() ? a.pools().begin : -1);
  const Register o = ops.attend(a.shape, window, q, k, v, d.steps);
  return ops.linear(a.out_proj, nullptr, o, a.width);
}

}  // namespace elastane
