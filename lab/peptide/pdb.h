// A conformation as a PDB file, for other programs.
#pragma once

#include <string>

#include "lab/peptide/sequence.h"

namespace elastane::peptide {

// ATOM records in the columns of format version 3.3, chain A, residues from 1; then TER and END
std::string to_pdb(const Chain& chain, const Conformation& conformation, const std::string& title);

}  // namespace elastane::peptide
