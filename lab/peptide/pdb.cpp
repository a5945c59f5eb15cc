#include "lab/peptide/pdb.h"

#include "lab/protein_chain/pdb.h"

namespace elastane::peptide {

std::string to_pdb(const Chain& chain, const Conformation& conformation, const std::string& title) {
  protein_chain::PdbWriter writer("PEPTIDE", title);
  for (int i = 0; i < chain.residues(); ++i) {
    writer.add_residue(chain.sequence().letters[static_cast<std::size_t>(i)],
                       [&](AtomKind kind) { return conformation.at(chain.index(i, kind)); });
  }
  return writer.finish();
}

}  // namespace elastane::peptide
