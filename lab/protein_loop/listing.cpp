#include "lab/protein_loop/listing.h"

#include <algorithm>
#include <gemmi/mmread.hpp>
#include <gemmi/resinfo.hpp>
#include <stdexcept>
#include <string_view>

namespace elastane::protein_loop {
namespace {

std::optional<protein_chain::Vec3> place_of(const gemmi::Residue& residue, const char* atom) {
  const gemmi::Atom* found = residue.find_atom(atom, '*');
  if (found == nullptr) return std::nullopt;
  return protein_chain::Vec3{found->pos.x, found->pos.y, found->pos.z};
}

ListedResidue listed(const gemmi::Residue& residue) {
  ListedResidue made;
  made.name = residue.name;
  made.number = residue.seqid.str();
  made.hetero = residue.het_flag == 'H';
  const gemmi::ResidueInfo& info = gemmi::find_tabulated_residue(residue.name);
  if (info.is_amino_acid()) made.letter = static_cast<char>(info.one_letter_code & ~0x20);
  made.n = place_of(residue, "N");
  made.ca = place_of(residue, "CA");
  made.c = place_of(residue, "C");
  made.o = place_of(residue, "O");
  if (!made.o) made.o = place_of(residue, "OXT");
  return made;
}

// The records of atoms and those that separate models and chains, cut to the columns that are used. Others are not
// needed, and gemmi 0.5.7 reads past the end of a truncated LINK record, even one at the end of a long line.
std::string atoms_of(const std::string& pdb) {
  constexpr std::size_t kColumns = 66;
  constexpr std::string_view kKept[] = {"ATOM", "HETATM", "MODEL", "ENDMDL", "TER", "END"};
  std::string kept;
  for (std::size_t begin = 0; begin < pdb.size();) {
    const std::size_t end = std::min(pdb.find('\n', begin), pdb.size() - 1) + 1;
    const std::string_view line(pdb.data() + begin, end - begin);
    const auto starts = [&](std::string_view record) { return line.substr(0, record.size()) == record; };
    if (std::any_of(std::begin(kKept), std::end(kKept), starts)) kept.append(line.substr(0, kColumns)) += '\n';
    begin = end;
  }
  return kept;
}

gemmi::Structure read(const std::string& text, const std::string& name) {
  if (text.compare(0, 2, "\x1f\x8b") == 0) throw std::runtime_error("a file compressed by gzip; decompress it first");
  switch (gemmi::coor_format_from_content(text.data(), text.data() + text.size())) {
    case gemmi::CoorFormat::Pdb: return gemmi::read_pdb_string(atoms_of(text), name);
    case gemmi::CoorFormat::Mmcif: return gemmi::make_structure(gemmi::cif::read_string(text));
    default: throw std::runtime_error("neither records of atoms nor a data_ block");
  }
}

}  // namespace

std::vector<ListedChain> list_chains(const std::string& text, const std::string& name) {
  const gemmi::Structure structure = read(text, name);
  std::vector<ListedChain> chains;
  if (structure.models.empty()) return chains;
  for (const gemmi::Chain& chain : structure.models.front().chains) {
    ListedChain& made = chains.emplace_back();
    made.name = chain.name;
    for (const gemmi::Residue& residue : chain.residues) made.residues.push_back(listed(residue));
  }
  return chains;
}

}  // namespace elastane::protein_loop
