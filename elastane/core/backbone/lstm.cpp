// Real-time code only.
#include "elastane/core/backbone/lstm.h"

namespace elastane {

void advance(const Lstm& lstm, const BlockCall& call, int first, int count) {
  state_gates(lstm, call, first, count);
  const GateScratch s = scratch_of(lstm, call.scratch, call.u.count);
  const int n = padded(lstm.hidden);
  for (int r = first; r < first + count; ++r) {
    float* h = call.rows[r].dense + lstm.slot.dense;
    call.k.lstm_advance(s.gi[r], s.gh[r], call.rows[r].dt, n, h, h + n);
  }
}

}  // namespace elastane
