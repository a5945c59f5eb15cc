#include "elastane/core/backbone/description.h"

namespace elastane {

Register Description::state(int dense, int rows, int n) {
  const Register r = ops.input((rows - 1) * padded(n) + n, steps || latents_move);
  latents.push_back({.part = {.dense = dense, .rows = rows, .n = n}, .before = r, .after = r});
  return r;
}

Register Description::next(Register before, Register after) {
  for (StatePort& port : latents) {
    if (port.before.offset == before.offset) port.after = after;
  }
  return after;
}

Register Description::tap(int dense, int ring, int lag, int n) {
  const Register r = ops.input(n, steps);
  taps.push_back({.part = {.dense = dense, .rows = 1, .n = n, .taps = ring, .lag = lag}, .before = r, .after = r});
  return r;
}

// one step on, every tap holds what the one before it held
void Description::newest_tap(int dense, Register x) {
  for (StatePort& port : taps) {
    if (port.part.dense != dense) continue;
    port.after = x;
    for (const StatePort& other : taps) {
      if (other.part.dense == dense && other.part.lag == port.part.lag - 1) port.after = other.before;
    }
  }
}

int Description::window(const KeyValueWindow& window, Register key, Register value, int modes) {
  windows.push_back({window, key, value, modes});
  return static_cast<int>(windows.size()) - 1;
}

}  // namespace elastane
