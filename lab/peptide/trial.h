// An episode, and one agent's way through it.
//
//   0 … appears        the chain may relax; nothing is asked for
//   appears … changes  the first contact is asked for
//   changes … ends     the second one is, unless the first is the only one
//
// A contact is met when its CA atoms are within 6 Å, no atoms clash and every residue is allowed, for kHold steps
// together. Steps are counted while a contact is asked for and not met; where one is not met at all, in full.
#pragma once

#include <cstdint>

#include "lab/benchmark/benchmark.h"
#include "lab/peptide/next_move.h"

namespace elastane::peptide {

inline constexpr int kWindow = 40;  // steps for which a contact is asked for
inline constexpr int kHold = 3;
inline constexpr int kLimit = 2 * kWindow;                       // steps that count in an episode
inline constexpr double kNoise = 0.5 * 0.017453292519943295;     // of observed torsions
inline constexpr std::array<int, 3> kAppearances = {8, 24, 40};  // early, middle, late

struct Episode {
  Sequence sequence;
  Torsions start = {};
  Contact first, second;  // the second may be none
  int appears = kAppearances[0];
  int world = 0;  // one for each sequence of a seed
  int kind = 0;   // 3·(early, middle, late) + (small, medium, large)
  std::uint64_t noise = 0;

  int changes() const { return appears + kWindow; }
  int ends() const { return changes() + (second.is_asked() ? kWindow : 0); }
  Contact asked(int step) const { return step < appears ? Contact{} : step < changes() ? first : second; }
};

// how far one contact is from another: residues to go, and whether that is small, medium or large
int size_of_change(const Contact& from, const Contact& to);

// torsions after a move y, in units of the largest one. A longer move is shortened as a whole, so that it leads where
// it was meant to lead; what is not a number does not move
Torsions moved(const Torsions& torsions, std::span<const float> y, int count, double limit);

class Trial {
 public:
  Trial(const Episode& episode, const Energy& energy, const MoveOptions& options = {});

  bool is_over() const { return step_ >= episode_->ends(); }
  int step() const { return step_; }
  Contact contact() const { return episode_->asked(step_); }
  const Torsions& torsions() const { return torsions_; }
  const EnergyPoint& point() const { return point_; }
  const Episode& episode() const { return *episode_; }
  const Energy& energy() const { return *energy_; }

  // torsions as agents see them, the same for all of them
  Torsions observed() const;
  // one step
  void move(std::span<const float> y);

  bool is_clean() const { return clean_; }
  double distance() const;               // of the contact asked for, Å
  double cost() const { return cost_; }  // energy over the steps in which a contact was asked for
  // success, steps, violations; regret is for who knows the best way
  benchmark::Outcome outcome() const;

 private:
  void judge();

  struct Record {
    int held = 0;     // steps together
    int met = -1;     // steps until it was, or −1
    int clashes = 0;  // steps with a clash: until it was met
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
  std::array<Record, 2> records_ = {};
};

}  // namespace elastane::peptide
