// The expert: follows the energy downhill from where the chain is, in many ways, and takes the shortest clean one.
//
// A way is a run of Levenberg–Marquardt moves, each within what a step may move, so it can be walked as it is. The
// first goes straight; the others first turn one or two residues into another basin of the Ramachandran plot, which is
// what leads around a barrier.
#pragma once

#include <vector>

#include "lab/peptide/descent.h"
#include "lab/peptide/trial.h"

namespace elastane::peptide {

struct ExpertOptions {
  int ways = 12;           // that are tried
  int enough = 3;          // clean ones after which no more are tried
  double clash_price = 4;  // of a step with a clash, in steps
  DescentOptions descent = {.iterations = 3, .damping = 3};
};

// moves y, step after step
struct Way {
  std::vector<std::array<float, kMostTorsions>> moves;
  int met = -1;      // steps until the contact is met and held, or −1
  int clashes = 0;   // steps with a clash
  double price = 0;  // what it was chosen by
};

class Expert {
 public:
  explicit Expert(const Energy& energy, const ExpertOptions& options = {}, const MoveOptions& move = {});

  // the best way to the contact from these torsions, within `steps`; without a contact, downhill
  Way plan(std::span<const double> torsions, const Contact& contact, int steps, Random& random);

 private:
  struct Hop {
    int residue = -1;
    double phi = 0, psi = 0;  // where to
  };
  struct Hops {
    std::array<Hop, 2> hop;
    int count = 0;
  };
  Hops draw_hops(const Contact& contact, Random& random) const;
  void walk(std::span<const double> torsions, const Contact& contact, int steps, const Hops& hops, double best,
            Way& way);
  void turn(const Hops& hops, std::span<const double> at, std::span<double> y) const;

  const Energy* energy_;
  ExpertOptions options_;
  NextMove move_;
  Descent descent_;
};

}  // namespace elastane::peptide
