// Two tables on the same loops: a bent native loop is repaired; and from random torsions, as many conformers as fit into the
// time of 500 of cyclic coordinate descent.
#pragma once

#include <cstdint>
#include <string>

namespace elastane::protein_loop {

struct RepairTableOptions {
  std::string data;        // folder with loops/ and ramachandran/; without it, proteins are built
  std::string json;        // file for the figures, or ""
  std::string structures;  // folder for PDB files of each loop's first case, or ""
  int shift = 0;           // moves the windows, for tuning
  int built = 0;           // loops of so many built proteins instead
  int cases = 50;          // bends per loop
  double seconds = 0.7;    // per loop, from random torsions
  int draws = 16;          // of which the one with the smallest gap starts a conformer
  std::uint64_t seed = 1;
};

// prints both tables; throws what is wrong with the data
void print_repair_table(const RepairTableOptions& options);

}  // namespace elastane::protein_loop
