// The chain of one episode as an agent moves it, and how the episode is scored.
//
// A contact is met when its CA atoms are within 6 Å, no atoms clash and every residue is allowed, for kHold steps
// together. Steps are counted while a contact is requested and not met; where one is not met at all, in full.
#pragma once

#include "lab/benchmark/benchmark.h"
#include "lab/peptide/episode.h"
#include "lab/peptide/objective.h"

namespace elastane::peptide {

// Torsions after a move y, in units of the largest move. A longer move is shortened as a whole, which keeps its
// direction; an element that is not finite does not move its torsion.
Torsions moved(const Torsions& torsions, std::span<const float> y, int count, double limit);

class Environment {
 public:
  Environment(const Episode& episode, const Energy& energy, const MoveOptions& options = {});

  bool is_over() const { return step_ >= episode_->ends(); }
  int step() const { return step_; }
  Contact contact() const { return episode_->contact_at(step_); }
  const Torsions& torsions() const { return torsions_; }
  const EnergyPoint& point() const { return point_; }
  const Episode& episode() const { return *episode_; }
  const Energy& energy() const { return *energy_; }

  // torsions with noise, the same for all agents
  Torsions observed() const;
  // one step
  void move(std::span<const float> y);

  bool is_clean() const { return clean_; }  // no clash, every residue allowed
  double distance() const;                  // of the requested contact, Å
  double cost() const { return cost_; }     // energy summed over the steps in which a contact was requested
  // success, steps, violations; the caller adds the regret
  benchmark::Outcome outcome() const;

 private:
  void update_record();

  struct Record {
    int held = 0;     // consecutive steps
    int met = -1;     // steps until it was met, or −1
    int clashes = 0;  // steps with a clash until it was met
    int all_clashes = 0;
  };

  const Episode* episode_;
  const Energy* energy_;
  MoveOptions options_;
  Torsions torsions_;
  EnergyPoint point_;
  int step_ = 0;
  bool clean_ = true;
  double cost_ = 0;
  std::array<Record, 2> records_ = {};  // of the first contact and the second
};

}  // namespace elastane::peptide
