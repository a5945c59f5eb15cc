#include "lab/peptide/episode.h"

#include <cstdlib>

namespace elastane::peptide {

int size_of_change(const Contact& from, const Contact& to) {
  const int residues = std::abs(from.i - to.i) + std::abs(from.j - to.j);
  return residues <= 2 ? 0 : residues <= 4 ? 1 : 2;
}

}  // namespace elastane::peptide
