// Proteins from PDB and mmCIF files, checked so that a loop in them can be rebuilt.
#pragma once

#include <string>

#include "lab/protein_loop/protein.h"

namespace elastane::protein_loop {

struct ReadOptions {
  std::string chain;  // its name in the file; empty: the first with amino acids
  // Far from a loop, breaks of the chain and residues without all main-chain atoms do no harm: those are then left out.
  // A loop next to one is refused by validate(Window). Where the whole chain is wanted, the first offence is named.
  bool whole = true;
};

Result<Protein> read_structure(const std::string& path, const ReadOptions& options = {});
// the same from such a file's text
Result<Protein> parse_structure(const std::string& text, const std::string& name, const ReadOptions& options = {});

// residues by their numbers in the file, "155" or "155A" with an insertion code, first to last
Result<Window> find_window(const Protein& protein, const std::string& first, const std::string& last);
// the same, not validated yet: for who asks more of a loop, as own_loop.h does
Result<Window> locate_window(const Protein& protein, const std::string& first, const std::string& last);

}  // namespace elastane::protein_loop
