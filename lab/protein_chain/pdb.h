// Main-chain atoms and CB as a PDB file, residue by residue.
#pragma once

#include <string>

#include "lab/protein_chain/chain.h"

namespace elastane::protein_chain {

// ATOM records in the columns of format version 3.3, chain A, residues from 1; then TER and END
class PdbWriter {
 public:
  PdbWriter(const std::string& kind, const std::string& title);

  // place(kind): the position of an atom; glycine has no CB. b: the residue's value in the temperature column
  template <class Place>
  void add_residue(char letter, Place place, double b = 0) {
    for (const AtomKind kind : {AtomKind::n, AtomKind::ca, AtomKind::c, AtomKind::o, AtomKind::cb}) {
      if (kind != AtomKind::cb || letter != 'G') add_atom(kind, letter, place(kind), b);
    }
    letter_ = letter;
    ++residue_;
  }
  std::string finish();

 private:
  void add_atom(AtomKind kind, char letter, Vec3 at, double b);

  std::string file_;
  int serial_ = 0, residue_ = 1;
  char letter_ = 'A';
};

}  // namespace elastane::protein_chain
