// Real-time code only.
#include "elastane/core/backbone/key_value_window.h"

#include <cmath>

namespace elastane {
namespace {

float admissible(float v) { return std::fabs(v) <= kStateLimit ? v : 0.0F; }

// two channels in one word; a channel beyond the last is zero
float word(const float* x, int size, int low, int high) {
  const auto half = [&](int i) -> std::uint32_t { return i < size ? to_bfloat16(admissible(x[i])) : 0U; };
  return std::bit_cast<float>(half(low) | half(high) << 16);
}

}  // namespace

void KeyValueWindow::write(const float* key, const float* value, std::uint64_t position, float* ring) const {
  const int rows = shape.key_rows(), words = shape.value_words(), size = shape.size;
  float* keys_to = ring + keys().first(position);
  for (int head = 0; head < shape.kv_heads; ++head, key += size, value += size) {
    float* values_to = ring + values(head).first(position);
    for (int i = 0; i < rows; ++i, keys_to += shape.block) {
      *keys_to = shape.bfloat16 ? word(key, size, 2 * i, 2 * i + 1) : admissible(key[i]);
    }
    for (int i = 0; i < words; ++i) {
      const int low = i / 16 * 32 + i % 16;
      values_to[i] = shape.bfloat16 ? word(value, size, low, low + 16) : i < size ? admissible(value[i]) : 0.0F;
    }
  }
}

}  // namespace elastane
