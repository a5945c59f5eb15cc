// Real-time code only.
#include "elastane/core/backbone/gru.h"

namespace elastane {

void advance(const Gru& gru, const BlockCall& call, int first, int count) {
  state_gates(gru, call, first, count);
  const GateScratch s = scratch_of(gru, call.scratch, call.u.count);
  for (int r = first; r < first + count; ++r) {
    call.k.gru_advance(s.gi[r], s.gh[r], call.rows[r].dt, padded(gru.hidden), call.rows[r].dense + gru.slot.dense);
  }
}

}  // namespace elastane
