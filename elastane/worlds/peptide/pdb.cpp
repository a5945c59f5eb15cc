#include "elastane/worlds/peptide/pdb.h"

#include "elastane/worlds/backbone/pdb.h"

namespace elastane::peptide {

std::string to_pdb(const Chain& chain, const Conformation& conformation, const std::string& title) {
  backbone::PdbWriter writer("PEPTIDE", title);
  for (int i = 0; i < chain.residues(); ++i) {
    writer.add_residue(chain.sequence().letters[static_cast<std::size_t>(i)],
                       [&](AtomKind kind) { return conformation.at(chain.index(i, kind)); });
  }
  return writer.finish();
}

}  // namespace elastane::peptide
