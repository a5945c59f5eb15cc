// Repairs a loop: Levenberg steps of the core's corrector on its torsions, with weak walls at first and new starts when
// one is stuck.
//
//   LoopRepair repair(energy);
//   RepairReport report = repair.run(torsions, random);     // torsions: replaced by the best found
#pragma once

#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "lab/protein_loop/loop_latent.h"

namespace elastane::protein_loop {

// Each start has three stages: the chain is closed without walls; walls rise; the chain is closed firmly.
struct RepairOptions {
  int closing = 20;          // steps at most without walls
  double nearly = 0.5;       // Å: a gap that ends this stage
  int raising = 60;          // steps at most while walls rise, and after that
  int ramp = 12;             // of those, until walls have their full weight
  double first_wall = 0.05;  // share of it at the beginning
  double settled = 1e-3;     // share of E that a step must gain, with full walls, to continue
  int firming = 12;          // steps at most with a raised closure weight, if a gap is left
  double firm = 8;           // its factor
  double closed = 0.05;      // Å: the largest gap of a closed chain

  double damping = 4;  // λ of a stage's first step
  double after_full = 0.4, after_partial = 1.5,
         after_rejected = 6;  // factors of λ after a step taken in full, in part, not at all
  double min_damping = 0.02, max_damping = 1e5;

  int restarts = 0;              // further starts, while the loop has a flaw
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
  enum class After : std::uint8_t { progress, settled, stuck };

  void run_once(std::span<double> torsions, RepairReport& report);
  // one step of the corrector; λ is adapted
  After step(std::span<double> z, const Emphasis& emphasis, RepairReport& report);
  void assess(std::span<const double> z, RepairReport& report);
  double gap(std::span<const double> z) const { return objective_.point_at(z).gap_length(); }

  double damping_ = 1;
  RepairOptions options_;
  LoopObjective objective_;
  LoopLatent latent_;
  Corrector corrector_;
  std::vector<double> memory_, y_;
};

}  // namespace elastane::protein_loop
