// Repairs a loop: Levenberg steps of the core's corrector on its torsions, walls let down at first, starts made anew
// where one is stuck.
//
//   LoopRepair repair(energy);
//   RepairReport report = repair.run(torsions, random);     // torsions: replaced by the best that was found
#pragma once

#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "lab/protein_loop/loop_latent.h"

namespace elastane::protein_loop {

// One start is taken in three stages: the chain is closed with walls down; walls rise; the chain is closed firmly.
struct RepairOptions {
  int closing = 20;          // steps at most with walls down
  double nearly = 0.5;       // Å: a gap that ends them
  int raising = 60;          // steps at most while walls rise, and after
  int ramp = 12;             // of those, until walls have their whole weight
  double first_wall = 0.05;  // the share of it that they begin with
  double settled = 1e-3;     // share of E that a step must gain, walls up, to go on
  int firming = 12;          // steps at most with the closure's weight raised, where a gap is left
  double firm = 8;           // by this
  double closed = 0.05;      // Å: the gap of a chain that is closed

  double damping = 4;                             // λ of a stage's first step
  double easier = 0.4, uneasy = 1.5, harder = 6;  // λ after a step that was taken whole, in part, not at all
  double least_damping = 0.02, most_damping = 1e5;

  int restarts = 0;              // starts beyond the first, while something is wrong with the loop
  double restart_spread = 0.35;  // radians, about the first start
};

struct RepairReport {
  int steps = 0, accepted = 0, starts = 0;
  double energy = 0, gap = 0;  // E, Å
  int clashes = 0, disallowed = 0;
  double macs = 0;  // counted
  bool closed = false;

  bool is_clean() const { return closed && clashes == 0 && disallowed == 0; }
};

class LoopRepair {
 public:
  explicit LoopRepair(const Energy& energy, const RepairOptions& options = {});

  RepairReport run(std::span<double> torsions, Random& random);

 private:
  enum class After : std::uint8_t { go_on, settled, stuck };

  void run_once(std::span<double> torsions, RepairReport& report);
  // one step of the corrector; λ is followed
  After step(std::span<double> z, const Emphasis& emphasis, RepairReport& report);
  void judge(std::span<const double> z, RepairReport& report);
  double gap(std::span<const double> z) const { return objective_.seen_at(z).gap_length(); }

  double damping_ = 1;
  RepairOptions options_;
  LoopObjective objective_;
  LoopLatent latent_;
  Corrector corrector_;
  std::vector<double> memory_, y_;
};

}  // namespace elastane::protein_loop
