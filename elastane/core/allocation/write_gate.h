// Which steps may write to a memory: every one, those that surprise, those within a budget, or those whose key was seen
// before.
//
//   surprise     ‖e‖²/‖v‖² of a step: what the memory did not know of the value, as a share of it
//   surprise     writes where it is above the threshold
//   budget       the same, and in any n steps at most burst + share·n writes: a token bucket. The threshold rises while
//                more is surprising than the share, so that the budget goes to what surprises most, and counts as far as
//                few writes are saved up
//   seen_twice   the same as surprise, and a key like this one was among the last `sightings` surprising ones: noise,
//                which does not come back, earns no place
//
// A share of 0 allows `burst` writes in all; no sightings, and none.
#pragma once

#include <cmath>
#include <cstdint>

#include "elastane/core/allocation/quantile_threshold.h"
#include "elastane/core/base/block_configs.h"

namespace elastane {

// 64 signs of fixed random projections of a key: keys at an angle of θ differ in about 64·θ/π of them
std::uint64_t sign_hash(const float* key, int n);

struct WriteGate {
  static constexpr int kSameKey = 6;     // hashes that differ in at most so many signs are of one key: 17 degrees
  static constexpr int kHashFloats = 4;  // 16 bits in each, so that every float is a small whole number

  WritePolicy policy = WritePolicy::always;
  double threshold = 0.5;
  double share = 0.1;
  int burst = 64;
  int sightings = 128;

  // what it keeps from step to step: of `budget` tokens and threshold, of `seen_twice` the next slot, how many are
  // filled, and the hashes
  int floats() const {
    if (policy == WritePolicy::budget) return 2;
    return policy == WritePolicy::seen_twice ? 2 + kHashFloats * sightings : 0;
  }
  void start(float* state) const;

  // May a step with this surprise write? hash() is called only where it matters. NaN does not surprise.
  template <class Hash>
  bool opens(double surprise, float* state, Hash hash) const {
    switch (policy) {
      case WritePolicy::always: return true;
      case WritePolicy::surprise: return surprise > threshold;
      case WritePolicy::budget: return spends(surprise, state);
      case WritePolicy::seen_twice: return surprise > threshold && sightings > 0 && sees_again(hash(), state);
    }
    return false;
  }

 private:
  bool spends(double surprise, float* state) const;
  bool sees_again(std::uint64_t hash, float* state) const;
  // in whole parts of 2^16, so that tokens are exact in float32
  float refill() const { return std::floor(static_cast<float>(share) * 65536.0F) / 65536.0F; }
};

}  // namespace elastane
