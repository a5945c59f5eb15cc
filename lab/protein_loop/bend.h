// Loops and their likenesses: a native loop in ideal geometry, the same bent, and how far one is from another.
#pragma once

#include "lab/protein_loop/energy.h"

namespace elastane::protein_loop {

// torsions as the protein has them, from ψ of the residue before the window to φ of the one after
Torsions torsions_of(const Protein& protein, const Window& window);

// Å over N, CA, C and O of the window, where they are: anchors stay, so nothing is superposed
double loop_rmsd(const Energy& energy, const protein_chain::Conformation& conformation, const Protein& native);

double loop_rmsd(const Protein& protein, const Protein& native, const Window& window);

// The nearest likeness of the protein's loop that ideal geometry allows: its torsions, moved until the atoms lie on
// those of the protein and the chain is closed. For judging and for starts of a repair; no agent sees it.
Torsions idealised(const Energy& energy, const Protein& protein);

struct BendOptions {
  double least = 4, most = 8;  // Å off the native
};
// torsions turned along one random direction until the loop is as far off as was drawn
Torsions bent(const Energy& energy, const Protein& native, const Torsions& from, Random& random,
              const BendOptions& options = {});

// every residue's torsions drawn from what its class likes; of several draws, the one that leaves the least gap
Torsions drawn(const Energy& energy, Random& random, int draws = 1);

// the conformation's atoms put into the protein: window, and O of the residue before it
void place_loop(const Energy& energy, const protein_chain::Conformation& conformation, Protein& protein);

}  // namespace elastane::protein_loop
