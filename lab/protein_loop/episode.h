// One episode as data: a protein with one loop bent until it is 4 to 8 Å off and the chain is broken.
#pragma once

#include "lab/protein_loop/environment.h"

namespace elastane::protein_loop {

inline constexpr int kWindow = 12;  // residues that an agent observes and moves at a time

struct Episode {
  Environment native, bent;
  Window loop;     // 8 to 12 residues anywhere but at the ends, so that a window cannot tell where the damage is
  Window stretch;  // the windows slide over it; residues beyond it stay in place
  int windows() const { return stretch.residues - kWindow + 1; }
  Window window(int step) const { return {.first = stretch.first + step, .residues = kWindow}; }
  // the residue that a step counts for: the middle of its window
  int residue(int step) const { return window(step).first + kWindow / 2; }
  // residues between this one and the bent loop; 0: inside
  int distance(int residue) const;
};

// the same for equal (seed, episode): a built protein of 60 to 120 residues
Episode draw_episode(std::uint64_t seed, int episode);
// a loop of this protein is bent
Episode bend_loop(const Protein& protein, const Window& loop, Random& random);
Episode bend_loop(const Environment& native, const Window& loop, const Window& stretch, Random& random);
// a loop at random
Window draw_loop(const Protein& protein, Random& random);

}  // namespace elastane::protein_loop
