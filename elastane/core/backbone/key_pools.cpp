// Real-time code only.
#include "elastane/core/backbone/key_pools.h"

#include <cmath>

namespace elastane {

// states from outside may hold any finite number
HeadMode KeyPools::mode(const float* dense, int head) const {
  const float value = dense[begin + head];
  return value == 1.0F ? HeadMode::stream : value == 2.0F ? HeadMode::blocks : HeadMode::full;
}

void KeyPools::add(const float* key, std::uint64_t position, float* dense) const {
  const int n = kv_heads * size, in_block = static_cast<int>(position % static_cast<unsigned>(block));
  const float share = 1.0F / static_cast<float>(block);
  float *total = sum(dense), *most = largest(dense);
  for (int i = 0; i < n; ++i) {
    const float value = std::fabs(key[i]) <= kStateLimit ? key[i] : 0.0F;
    total[i] = in_block == 0 ? value : total[i] + value;
    most[i] = position == 0 || value > most[i] ? value : most[i];
  }
  if (in_block + 1 < block) return;
  const bool begins = position < static_cast<std::uint64_t>(block);
  for (int i = 0; i < n; ++i) {
    const float mean = total[i] * share;
    last(dense)[i] = begins ? mean : 0.5F * (last(dense)[i] + mean);
    if (begins) first(dense)[i] = mean;
  }
}

void KeyPools::read(const float* dense, double* features) const {
  const float* from[] = {dense + begin + padded(kv_heads), nullptr, nullptr};
  from[1] = from[0] + lane();
  from[2] = from[1] + 2 * lane();
  for (const float* pool : from) {
    for (int i = 0; i < kv_heads * size; ++i) *features++ = static_cast<double>(pool[i]);
  }
}

}  // namespace elastane
