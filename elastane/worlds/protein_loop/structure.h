// Proteins from PDB and mmCIF files, checked so that a loop in them can be rebuilt.
#pragma once

#include <string>

#include "elastane/worlds/protein_loop/protein.h"

namespace elastane::protein_loop {

// chain: its name in the file; empty: the first with amino acids. A residue without its main-chain atoms, one that is
// unknown, and a place where the chain is broken are each named.
Result<Protein> read_structure(const std::string& path, const std::string& chain = "");
// the same from the text of a PDB file
Result<Protein> parse_pdb(const std::string& text, const std::string& name, const std::string& chain = "");

// residues by their numbers in the file, "155" or "155A" with an insertion code, first to last
Result<Window> find_window(const Protein& protein, const std::string& first, const std::string& last);

}  // namespace elastane::protein_loop
