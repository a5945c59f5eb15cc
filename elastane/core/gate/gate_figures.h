// How a learned gate does on examples.
#pragma once

#include "elastane/core/allocation/depth_examples.h"
#include "elastane/core/gate/learned_gate.h"

namespace elastane {

// urgency above the threshold refines; by default the one that the gate was trained for
DepthFigures judge(const LearnedGate& gate, const DepthExamples& examples, double threshold);
inline DepthFigures judge(const LearnedGate& gate, const DepthExamples& examples) {
  return judge(gate, examples, gate.threshold());
}

}  // namespace elastane
