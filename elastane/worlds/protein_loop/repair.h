// Repairs a loop: Levenberg steps of the core's corrector on its torsions, walls let down at first, starts made anew
// where one is stuck.
//
//   LoopRepair repair(energy);
//   RepairReport report = repair.run(torsions, random);     // torsions: replaced by the best that was found
#pragma once

#include <vector>

#include "elastane/core/corrector.h"
#include "elastane/worlds/protein_loop/loop_latent.h"

namespace elastane::protein_loop {

struct RepairOptions {
  int steps = 60;                             // at most, of one start
  int closing = 0;                            // steps at most without walls, until the chain is nearly closed
  double nearly = 0.5;                        // Å
  int ramp = 12;                              // steps until walls have their whole weight
  double first_wall = 0.05;                   // their share of it before
  double damping = 4;                         // λ of the first step
  double damping_share = 0;
  double firm = 1; int firm_from = 1000;
  double easier = 0.4, harder = 6;            // λ after a step that was taken, and one that was not
  double least_damping = 0.02, most_damping = 1e4;
  double closed = 0.05;                       // Å: the gap of a loop that is repaired
  double settled = 1e-3;                      // the share of E that a step must gain, walls up, to go on
  int restarts = 0;                           // starts beyond the first, while clashes or disallowed residues are left
  double restart_spread = 0.35;               // radians, about the first start
};

struct RepairReport {
  int steps = 0, accepted = 0, starts = 0;
  double energy = 0, gap = 0;  // E, Å
  int clashes = 0, disallowed = 0;
  double madds = 0;
  bool closed = false;

  bool is_clean() const { return closed && clashes == 0 && disallowed == 0; }
};

class LoopRepair {
 public:
  explicit LoopRepair(const Energy& energy, const RepairOptions& options = {});

  RepairReport run(std::span<double> torsions, Random& random);

 private:
  void run_once(std::span<double> torsions, RepairReport& report);
  double level_ = 1;
  void judge(std::span<const double> torsions, RepairReport& report);

  RepairOptions options_;
  LoopObjective objective_;
  LoopLatent latent_;
  Corrector corrector_;
  std::vector<double> memory_, y_;
};

}  // namespace elastane::protein_loop
