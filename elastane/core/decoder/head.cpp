// Real-time code only.
#include "elastane/core/decoder/head.h"

namespace elastane {

std::size_t scratch_floats(const Head& head, int rows) {
  std::size_t floats = 0;
  for (const HeadLayer& layer : head.layers) floats += static_cast<std::size_t>(rows) * layer.weight.rows;
  return floats;
}

void read(const Head& head, const Kernels& k, ConstRows h, float* scratch, Rows y) {
  for (const HeadLayer& layer : head.layers) {
    if (&layer == &head.layers.back()) {
      k.linear(layer.weight, layer.bias, h, y);
      return;
    }
    const Rows next = {scratch, h.count, layer.weight.rows};
    k.linear(layer.weight, layer.bias, h, next);
    for (int r = 0; r < next.count; ++r) k.activate(head.activation, next[r], next.stride);
    scratch += static_cast<std::ptrdiff_t>(next.count) * next.stride;
    h = next;
  }
}

}  // namespace elastane
