// The kernel of windowed attention before keys lay in panels, kept to time a step against it: one query over a ring of
// keys [channel][slot] and values [slot][channel], one chain of additions at a time.
#pragma once

namespace elastane::bench {

struct EarlierShape {
  int heads, kv_heads, size;
  int slots;      // of the ring, a multiple of the vector's lanes
  int kv_stride;  // floats from one step's values to the next
};

// softmax(q·k/√size)·v over `filled` steps; `scores` has room for `slots`, y for one vector beyond its end
void earlier_attend(const EarlierShape& shape, const float* q, const float* keys, const float* values, int filled,
                    float* scores, float* y);

}  // namespace elastane::bench
