// Episodes, drawn by seed: a protein, and one loop of it bent until it is 4 to 8 Å off and the chain is broken.
#pragma once

#include "lab/protein_loop/fold.h"

namespace elastane::protein_loop {

inline constexpr int kWindow = 12;  // residues that an agent sees and moves at a time

struct Damage {
  Fold native, bent;
  Window loop;     // 8 to 12 residues anywhere but at the ends, so that no window knows where it lies
  Window stretch;  // that windows pass over; what is beyond stays where it is
  int windows() const { return stretch.residues - kWindow + 1; }
  Window window(int step) const { return {.first = stretch.first + step, .residues = kWindow}; }
  // the residue that a step is counted for: the middle of its window
  int residue(int step) const { return window(step).first + kWindow / 2; }
  // residues between this one and the bent loop; 0: inside
  int distance(int residue) const;
};

// the same for equal (seed, episode): a built protein of 60 to 120 residues
Damage draw_damage(std::uint64_t seed, int episode);
// a loop of this protein is bent, or one that is drawn
Damage bend(const Protein& protein, const Window& loop, Random& random);
Damage bend(const Fold& native, const Window& loop, const Window& stretch, Random& random);
Window draw_loop(const Protein& protein, Random& random);

}  // namespace elastane::protein_loop
