// The contents of a PDB or mmCIF file, read by gemmi: only this unit includes gemmi.
//
// C++17 only, here and in listing.cpp: gemmi holds vectors of types that it defines later, which clang refuses with the
// constexpr vectors of C++20.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/protein_chain/vec3.h"

namespace elastane::protein_loop {

struct ListedResidue {
  std::string name;     // "LEU"
  std::string number;   // "155", with an insertion code "155A"
  char letter = ' ';    // of the amino acid, or of the one it stands for (selenomethionine is methionine), or ' '
  bool hetero = false;  // a HETATM record
  std::optional<protein_chain::Vec3> n, ca, c, o;  // o: OXT if there is no O; the first of alternative positions
};

struct ListedChain {
  std::string name;
  std::vector<ListedResidue> residues;
};

// The chains of the first model. Throws a std::exception if gemmi cannot read the text.
std::vector<ListedChain> list_chains(const std::string& text, const std::string& name);

}  // namespace elastane::protein_loop
