#include <algorithm>
#include <cmath>

#include "elastane/core/backbone/attention.h"

namespace elastane {
namespace {

// Without sparse modes panels have no meaning, so they are no longer than the window needs.
int panel_of(const AttentionConfig& config) {
  if (config.local > 0 || config.sink > 0) return config.block;
  int block = 16;
  while (block < config.window && block < config.block) block *= 2;
  return block;
}

// Rows that are written before the first of them is read: a chunk, or a block of queries.
constexpr int kRowsAhead = 16;

AttentionShape shape_of(const AttentionConfig& config, int width) {
  const int block = panel_of(config), ahead = std::max(block, kRowsAhead) - 1;
  return {.heads = config.heads,
          .kv_heads = config.kv_heads > 0 ? config.kv_heads : config.heads,
          .size = width / config.heads,
          .window = config.window,
          .block = block,
          .sink = config.sink / block,
          .local = config.local / block,
          .turning = (config.window + ahead + block - 1) / block,
          .bfloat16 = config.bfloat16_cache};
}

}  // namespace

StateClasses Attention::state() const {
  Attention own = *this;
  own.slot = {};
  StateClasses classes{
      .dense = elastic() ? pools().floats() : 0, .ring = own.window().floats(), .rings = own.window().parts()};
  if (chooses) {
    const RingPart part = own.summaries();
    classes.ring = part.begin + shape.panels() * part.panel_stride;
    classes.rings.push_back(part);
  }
  return classes;
}

Attention bind(const AttentionConfig& config, int width, bool /*learned_start*/, Binder& binder) {
  Attention a{};
  a.width = width;
  a.shape = shape_of(config, width);
  a.kv = a.shape.kv_heads * a.shape.size;
  if (a.elastic()) {
    a.modes = config.modes;
    a.modes.resize(as_size(a.shape.kv_heads), HeadMode::full);
    a.chooses = std::ranges::find(a.modes, HeadMode::blocks) != a.modes.end();
  }
  a.qkv = binder.matrix_of({"q_proj.weight", "k_proj.weight", "v_proj.weight"}, {width, a.kv, a.kv}, width);
  a.out_proj = binder.matrix("o_proj.weight", {width}, width);
  if (config.rotary) {
    const int size = a.shape.size;
    a.frequency = binder.doubles(size / 2, [&](int i) { return std::pow(config.rotary_base, -2.0 * i / size); });
  }
  return a;
}

}  // namespace elastane
