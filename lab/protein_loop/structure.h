// Proteins from PDB and mmCIF files, checked so that a loop in them can be rebuilt.
#pragma once

#include <string>

#include "lab/protein_loop/protein.h"

namespace elastane::protein_loop {

struct ReadOptions {
  std::string chain;  // its name in the file; empty: the first with amino acids
  // false: residues without all main-chain atoms are skipped, and breaks of the chain accepted. Far from a loop they do
  // no harm; a loop next to one is refused by validate(Window). true: the first flaw is an error that names it.
  bool whole = true;
};

Result<Protein> read_structure(const std::string& path, const ReadOptions& options = {});
// the same from the text of such a file
Result<Protein> parse_structure(const std::string& text, const std::string& name, const ReadOptions& options = {});

// residues by their numbers in the file, "155" or "155A" with an insertion code, first to last
Result<Window> find_window(const Protein& protein, const std::string& first, const std::string& last);
// the same without validation, for callers that require more of a loop (custom_loop.h)
Result<Window> locate_window(const Protein& protein, const std::string& first, const std::string& last);

}  // namespace elastane::protein_loop
