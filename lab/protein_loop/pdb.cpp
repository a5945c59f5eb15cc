#include "lab/protein_loop/pdb.h"

#include "lab/protein_chain/pdb.h"

namespace elastane::protein_loop {

std::string to_pdb(const Protein& protein, const std::string& title, std::span<const double> column) {
  protein_chain::PdbWriter writer("PROTEIN", title);
  for (int i = 0; i < protein.size(); ++i) {
    const ProteinResidue& residue = protein.residue(i);
    const auto place = [&](AtomKind kind) { return residue.atom(kind); };
    writer.add_residue(residue.letter, place, column.empty() ? 0.0 : column[static_cast<std::size_t>(i)]);
  }
  return writer.finish();
}

}  // namespace elastane::protein_loop
