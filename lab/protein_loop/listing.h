// What a PDB or mmCIF file lists, as gemmi reads it: the one place that knows gemmi.
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
  char letter = ' ';    // of the amino acid that it is or stands for (selenomethionine is methionine), or ' '
  bool hetero = false;  // a HETATM record
  std::optional<protein_chain::Vec3> n, ca, c, o;  // o: OXT where there is no O; the first of several places
};

struct ListedChain {
  std::string name;
  std::vector<ListedResidue> residues;
};

// The first model's chains. What gemmi cannot read it throws, as a std::exception.
std::vector<ListedChain> list_chains(const std::string& text, const std::string& name);

}  // namespace elastane::protein_loop
