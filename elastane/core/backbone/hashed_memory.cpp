// Real-time code only.
#include "elastane/core/backbone/hashed_memory.h"

#include <cmath>
#include <cstddef>

#include "elastane/core/base/random.h"

namespace elastane {

float* HashedMemory::slot(std::uint64_t id, int part, float* table) const {
  const auto size = static_cast<std::uint64_t>(slots / touched);
  const std::uint64_t at = (exact ? id : Random(id, static_cast<std::uint64_t>(part)).bits()) % size;
  return table + static_cast<std::ptrdiff_t>(static_cast<std::uint64_t>(part) * size + at) * (1 + values);
}

void HashedMemory::start(float* table) const {
  const float prior = has_slots() ? 1.0F / static_cast<float>(touched) : 0.0F;
  for (int i = 0; i < floats(); ++i) table[i] = i % (1 + values) == 0 ? prior : 0.0F;
}

void HashedMemory::recall(std::uint64_t id, const float* table, float* value) const {
  for (int j = 0; j < values; ++j) value[j] = 0;
  for (int part = 0; has_slots() && part < touched; ++part) {
    const float* at = slot(id, part, const_cast<float*>(table));  // read only
    for (int j = 0; j < values; ++j) value[j] += at[1 + j];
  }
}

void HashedMemory::write(std::uint64_t id, const float* value, float* table, float* estimate) const {
  recall(id, table, estimate);
  double spread = noise, squares = 0;
  for (int j = 0; j < values; ++j) squares += std::pow(static_cast<double>(value[j]) - estimate[j], 2);
  if (!std::isfinite(squares) || !has_slots()) return;
  for (int part = 0; part < touched; ++part) {
    float* at = slot(id, part, table);
    at[0] = static_cast<float>(std::fmin(at[0] + drift, 1.0));
    spread += at[0];
  }
  if (alarm > 0 && squares > alarm * alarm * spread * values) {
    // along the key: slots that others rely on, whose variance is small, stay the ones that move least
    const double factor = 1 / std::fmax(spread - noise, 1e-6);
    for (int part = 0; part < touched; ++part) {
      float* at = slot(id, part, table);
      at[0] = static_cast<float>(std::fmin(at[0] * factor, 1.0));
    }
    spread = noise + 1;
  }
  for (int part = 0; part < touched; ++part) {
    float* at = slot(id, part, table);
    const double gain = at[0] / spread;
    for (int j = 0; j < values; ++j)
      at[1 + j] += static_cast<float>(gain * (static_cast<double>(value[j]) - estimate[j]));
    at[0] = static_cast<float>(at[0] * (1 - gain));
  }
}

}  // namespace elastane
