// Something that moves the chain: y from what is observed.
#pragma once

#include <span>

#include "elastane/core/corrector/report.h"
#include "lab/peptide/energy.h"

namespace elastane::peptide {

// what one step of it took
struct DriveReport {
  int depth = 0, accepted = 0;             // micro-steps
  double products = 0;                     // with J or its transpose
  double condition = 0;                    // of what was solved, summed over micro-steps
  double macs = 0;                         // counted
  double radius = 0;                       // of trust, where there is one
  double loss_before = 0, loss_after = 0;  // of what was proposed and kept, where there is a correction
};

// a report of the engine's in these terms; what the network took is added
DriveReport summary_of(const StepReport& report, double network_macs);

class Driver {
 public:
  virtual ~Driver() = default;
  // an episode begins
  virtual void begin(const Energy& energy) = 0;
  // one step: x as in observation.h, torsions as observed; y gets at least kMostTorsions moves
  virtual void drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                     std::span<float> y) = 0;
  virtual DriveReport report() const = 0;
};

}  // namespace elastane::peptide
