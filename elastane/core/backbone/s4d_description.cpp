#include <algorithm>

#include "elastane/core/backbone/description.h"
#include "elastane/core/backbone/s4d.h"

namespace elastane {

Register describe(const S4d& b, Register u, Description& d) {
  ProgramBuilder& ops = d.ops;
  Register s = d.state(b.slot.dense, 2 * b.pairs, b.width);
  if (d.steps) {
    const Discretise form{.bilinear = b.bilinear,
                          .pairs = b.pairs,
                          .width = b.width,
                          .n = padded(b.width),
                          .unit = b.unit,
                          .a_re = b.a_re,
                          .a_im = b.a_im,
                          .step = b.step};
    s = d.next(s, ops.diagonal_step(ops.discretise(form, d.dt), u, s, b.pairs, b.width));
  }
  // Re Cs = C_re s_re − C_im s_im
  const int plane = b.plane();
  float* planes = ops.constants(2 * static_cast<std::size_t>(plane));
  std::copy_n(b.c_re, plane, planes);
  std::transform(b.c_im, b.c_im + plane, planes + plane, [](float c) { return -c; });
  return ops.scale_add(b.skip, u, ops.weigh(planes, s, 2 * b.pairs, b.width));  // + D ⊙ u
}

}  // namespace elastane
