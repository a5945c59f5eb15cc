// A protein as a PDB file, for other programs.
#pragma once

#include <span>
#include <string>

#include "lab/protein_loop/protein.h"

namespace elastane::protein_loop {

// Main-chain atoms and CB; residues are numbered from 1. column: one value per residue for the temperature column, or
// empty.
std::string to_pdb(const Protein& protein, const std::string& title, std::span<const double> column = {});

}  // namespace elastane::protein_loop
