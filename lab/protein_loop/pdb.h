// A protein as a PDB file, which other programs read.
#pragma once

#include <span>
#include <string>

#include "lab/protein_loop/protein.h"

namespace elastane::protein_loop {

// main-chain atoms and CB; numbers run from 1. column: a value for each residue where temperatures stand, or nothing
std::string to_pdb(const Protein& protein, const std::string& title, std::span<const double> column = {});

}  // namespace elastane::protein_loop
