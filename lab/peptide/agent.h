// An agent moves the chain: it chooses y from what is observed.
#pragma once

#include <span>

#include "elastane/core/corrector/report.h"
#include "lab/peptide/energy.h"

namespace elastane::peptide {

// what one step cost and achieved
struct AgentReport {
  int depth = 0, accepted = 0;             // micro-steps
  double products = 0;                     // with J or its transpose
  double condition = 0;                    // of the systems solved, summed over micro-steps
  double macs = 0;                         // counted
  double radius = 0;                       // of the trust region, where there is one
  double loss_before = 0, loss_after = 0;  // of the proposal and the result, where there is a correction
};

class Agent {
 public:
  virtual ~Agent() = default;
  // an episode begins
  virtual void begin(const Energy& energy) = 0;
  // one step: x as in observation.h, torsions as observed; y has room for at least kMaxTorsions moves
  virtual void act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                   std::span<float> y) = 0;
  virtual AgentReport report() const = 0;
};

}  // namespace elastane::peptide
