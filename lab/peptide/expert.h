// The expert: follows the energy downhill from the chain's conformation along several plans, and keeps the shortest
// one without clashes.
//
// A plan is a sequence of Levenberg–Marquardt moves, each within the limit of a step, so it can be carried out as it is.
// The first plan goes straight. The others start by turning one or two residues into another basin of the Ramachandran
// plot, which is what leads around a barrier.
#pragma once

#include <vector>

#include "lab/peptide/environment.h"
#include "lab/peptide/levenberg.h"

namespace elastane::peptide {

struct ExpertOptions {
  int plans = 12;          // tried at most
  int enough = 3;          // plans without clashes that end the search
  double clash_price = 4;  // of a step with a clash, in steps
  LevenbergOptions levenberg = {.iterations = 3, .damping = 3};
};

// moves y, step by step
struct Plan {
  std::vector<std::array<float, kMaxTorsions>> moves;
  int met = -1;      // steps until the contact is met and held, or −1
  int clashes = 0;   // steps with a clash
  double price = 0;  // the plan with the lowest price is chosen
};

class Expert {
 public:
  explicit Expert(const Energy& energy, const ExpertOptions& options = {}, const MoveOptions& move = {});

  // the best plan from these torsions to the contact, within `steps`; without a contact, downhill
  Plan plan(std::span<const double> torsions, const Contact& contact, int steps, Random& random);

 private:
  // a residue that turns into another basin
  struct Hop {
    int residue = -1;
    double phi = 0, psi = 0;  // the target
  };
  struct Hops {
    std::array<Hop, 2> hop;
    int count = 0;
  };
  // what is watched while a plan is carried out
  struct Progress {
    int held = 0;
    bool ends = false;
  };
  Hops draw_hops(const Contact& contact, Random& random) const;
  int steps_of(const Hops& hops, std::span<const double> at) const;
  void carry_out(std::span<const double> torsions, const Contact& contact, int steps, const Hops& hops, double best,
                 Plan& plan);
  void turn(const Hops& hops, std::span<const double> at, std::span<double> y) const;
  void follow(const Conformation& there, const Contact& contact, int step, Progress& progress, Plan& plan) const;

  const Energy* energy_;
  ExpertOptions options_;
  MoveObjective move_;
  Levenberg levenberg_;
};

// The expert as it acts in an episode: it observes torsions without noise, and plans again when the request changes.
class ExpertPolicy {
 public:
  ExpertPolicy(const Energy& energy, std::uint64_t seed, const ExpertOptions& options = {});
  std::array<float, kMaxTorsions> next(const Environment& environment);

 private:
  Expert expert_;
  Random random_;
  Plan plan_;
  Contact planned_;
  std::size_t taken_ = 0;
  bool started_ = false;
};

}  // namespace elastane::peptide
