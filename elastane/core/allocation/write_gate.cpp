// Real-time code only.
#include "elastane/core/allocation/write_gate.h"

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

// Bits in which two hashes differ, summed in pairs, nibbles and bytes. std::popcount calls the compiler's library where the
// least instruction set has no such instruction
int differing_bits(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ b;
  x -= x >> 1 & 0x5555555555555555ULL;
  x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<int>(x * 0x0101010101010101ULL >> 56);
}

}  // namespace

std::uint64_t sign_hash(const float* key, int n) {
  float sums[64] = {};
  for (int i = 0; i < n; ++i) {
    // bit j of the word is the sign of channel i in projection j
    const std::uint64_t word = Random(0xE1A57A4E, static_cast<std::uint64_t>(i)).bits();
    for (int j = 0; j < 64; ++j) sums[j] += (word >> j & 1) != 0 ? key[i] : -key[i];
  }
  std::uint64_t hash = 0;
  for (int j = 0; j < 64; ++j) hash |= static_cast<std::uint64_t>(sums[j] > 0) << j;
  return hash;
}

void WriteGate::start(float* state) const {
  for (int i = 0; i < floats(); ++i) state[i] = 0;
  if (policy != WritePolicy::budget) return;
  state[0] = static_cast<float>(burst);
  state[1] = static_cast<float>(threshold);
}

bool WriteGate::spends(double surprise, float* state) const {
  float &tokens = state[0], &level = state[1];
  tokens = std::fmin(tokens + refill(), static_cast<float>(burst));
  // while writes are saved up, the least threshold holds
  const float room = burst > 0 ? tokens / static_cast<float>(burst) : 0.0F;
  const bool passed = surprise > threshold + (level - threshold) * (1 - room);
  const QuantileThreshold rule = QuantileThreshold::at(threshold, share, 1);
  level = static_cast<float>(std::fmax(threshold, rule.followed(level, passed)));
  if (!passed || tokens < 1) return false;
  tokens -= 1;
  return true;
}

bool WriteGate::sees_again(std::uint64_t hash, float* state) const {
  const int filled = static_cast<int>(state[1]), next = static_cast<int>(state[0]);
  float* slots = state + 2;
  for (int s = 0; s < filled; ++s) {
    std::uint64_t kept = 0;
    for (int i = kHashFloats - 1; i >= 0; --i) {
      kept = kept << 16 | static_cast<std::uint64_t>(slots[s * kHashFloats + i]);
    }
    if (differing_bits(kept, hash) <= kSameKey) return true;
  }
  for (int i = 0; i < kHashFloats; ++i) {
    slots[next * kHashFloats + i] = static_cast<float>(hash >> 16 * i & 0xFFFF);
  }
  state[0] = static_cast<float>(next + 1 == sightings ? 0 : next + 1);
  state[1] = static_cast<float>(filled < sightings ? filled + 1 : filled);
  return false;
}

}  // namespace elastane
