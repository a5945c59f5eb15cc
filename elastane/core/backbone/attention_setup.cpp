#include <cmath>

#include "elastane/core/backbone/attention.h"

namespace elastane {

StateClasses Attention::state() const {
  KeyValueWindow own = window();
  own.begin = 0;
  return {.ring = own.floats(), .rings = {own.keys(), own.values()}};
}

Attention bind(const AttentionConfig& config, int width, bool /*learned_start*/, Binder& binder) {
  Attention a{};
  const int size = width / config.heads;
  const int kv_heads = config.kv_heads > 0 ? config.kv_heads : config.heads;
  a.width = width;
  a.kv = kv_heads * size;
  a.shape = {.heads = config.heads,
             .kv_heads = kv_heads,
             .size = size,
             .window = config.window,
             .slots = padded(config.window),
             .kv_stride = padded(a.kv)};
  a.qkv = binder.matrix_of({"q_proj.weight", "k_proj.weight", "v_proj.weight"}, {width, a.kv, a.kv}, width);
  a.out_proj = binder.matrix("o_proj.weight", {width}, width);
  if (config.rotary) {
    a.frequency = binder.doubles(size / 2, [&](int i) { return std::pow(config.rotary_base, -2.0 * i / size); });
  }
  return a;
}

}  // namespace elastane
