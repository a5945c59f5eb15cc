// Real-time code only.
#include "elastane/core/backbone/s4d.h"

namespace elastane {

// the four planes of a discretisation for a dt other than 1; rows use them one after the other
std::size_t scratch_floats(const S4d& b, int /*rows*/) { return 4 * static_cast<std::size_t>(b.plane()); }

void project(const S4d&, const BlockCall&) {}

void advance(const S4d& b, const BlockCall& call, int first, int count) {
  const int n = padded(b.width), plane = b.plane();
  for (int r = first; r < first + count; ++r) {
    const Row& row = call.rows[r];
    DiagonalPlanes planes = b.unit;
    if (row.dt != 1.0F) {
      float* own = call.scratch;
      call.k.discretise(b.bilinear, b.a_re, b.a_im, b.step, row.dt, b.pairs, n, own);
      planes = {own, own + plane, own + 2 * plane, own + 3 * plane};
    }
    float* s = row.dense + b.slot.dense;
    call.k.diagonal_advance(planes, call.u[r], b.pairs, n, s, s + plane);
  }
}

void read(const S4d& b, const BlockCall& call, int first, int count) {
  for (int r = first; r < first + count; ++r) {
    const float* s = call.rows[r].dense + b.slot.dense;
    call.k.diagonal_read(b.c_re, b.c_im, b.skip, call.u[r], s, s + b.plane(), b.pairs, padded(b.width), call.out[r]);
  }
}

void finish(const S4d&, const BlockCall&) {}

}  // namespace elastane
