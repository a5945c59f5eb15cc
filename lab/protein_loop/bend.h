// Loops as torsions: a native loop in ideal geometry, a bent one, a random one, and how far apart two loops are.
#pragma once

#include "lab/protein_loop/energy.h"

namespace elastane::protein_loop {

// torsions of the protein's coordinates, from ψ of the residue before the window to φ of the one after it
Torsions torsions_of(const Protein& protein, const Window& window);

// Å over N, CA, C and O of the window, in place: anchors are fixed, so nothing is superposed
double loop_rmsd(const Energy& energy, const protein_chain::Conformation& conformation, const Protein& native);

double loop_rmsd(const Protein& protein, const Protein& native, const Window& window);

// The nearest loop in ideal geometry: the torsions of the protein's loop, moved until the atoms fit those of the protein
// and the chain is closed. For scoring and for starts of a repair; no agent observes it.
Torsions idealised(const Energy& energy, const Protein& protein);

struct BendOptions {
  double min = 4, max = 8;  // Å off the native
};
// torsions turned along one random direction until the loop is as far off as drawn
Torsions bent(const Energy& energy, const Protein& native, const Torsions& from, Random& random,
              const BendOptions& options = {});

// torsions of every residue drawn from the distribution of its class; of several draws, the one with the smallest gap
Torsions random_torsions(const Energy& energy, Random& random, int draws = 1);

// writes the conformation's atoms into the protein: the window, and O of the residue before it
void place_loop(const Energy& energy, const protein_chain::Conformation& conformation, Protein& protein);

}  // namespace elastane::protein_loop
