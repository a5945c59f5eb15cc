#include "elastane/worlds/protein_loop/structure.h"

#include <exception>
#include <gemmi/mmread.hpp>
#include <gemmi/resinfo.hpp>

namespace elastane::protein_loop {
namespace {

Error wrong(const std::string& where, const std::string& what) { return Error{"[structure] " + where + ": " + what}; }

std::string name_of(const gemmi::Chain& chain, const gemmi::Residue& residue) {
  return chain.name + " " + residue.seqid.str() + " " + residue.name;
}

// "155" of "A 155 LEU"
std::string number_of(const std::string& name) {
  const std::size_t begin = name.find(' ') + 1, end = name.rfind(' ');
  return name.substr(begin, end - begin);
}

// one of the twenty that an amino acid is or stands for (selenomethionine is methionine); ' ' where it is none
char letter_of(const gemmi::Residue& residue) {
  const gemmi::ResidueInfo& info = gemmi::find_tabulated_residue(residue.name);
  if (!info.is_amino_acid()) return ' ';
  const char letter = static_cast<char>(info.one_letter_code & ~0x20);
  return backbone::kLetters.find(letter) == std::string_view::npos ? ' ' : letter;
}

// Is it part of the chain? Water, ions and ligands are listed with it; one that is no amino acid counts if the chain
// goes on through it.
bool is_part(const gemmi::Residue& residue, const Protein& so_far) {
  if (letter_of(residue) != ' ') return true;
  const gemmi::Atom* n = residue.find_atom("N", '*');
  if (n == nullptr || so_far.size() == 0) return residue.het_flag == 'A' && n != nullptr;
  return length(Vec3{n->pos.x, n->pos.y, n->pos.z} - so_far.residues.back().at.c) < kLongestJoint;
}

const gemmi::Chain* find_chain(const gemmi::Model& model, const std::string& wanted) {
  for (const gemmi::Chain& chain : model.chains) {
    if (!wanted.empty() && chain.name != wanted) continue;
    for (const gemmi::Residue& residue : chain.residues) {
      if (letter_of(residue) != ' ') return &chain;
    }
  }
  return nullptr;
}

Result<ProteinResidue> converted(const gemmi::Chain& chain, const gemmi::Residue& residue) {
  ProteinResidue made;
  made.name = name_of(chain, residue);
  made.letter = letter_of(residue);
  if (made.letter == ' ') {
    return wrong("residue " + made.name,
                 "expected one of the twenty amino acids, found " + residue.name + "; rename or remove it");
  }
  const auto place = [&](const char* atom, Vec3& at) {
    const gemmi::Atom* found = residue.find_atom(atom, '*');
    if (found == nullptr) return false;
    at = {found->pos.x, found->pos.y, found->pos.z};
    return true;
  };
  const auto missing = [&](const char* atom) {
    return wrong("residue " + made.name, std::string("expected atoms N, CA, C and O, found no ") + atom +
                                             "; complete it, or cut the chain there");
  };
  if (!place("N", made.at.n)) return missing("N");
  if (!place("CA", made.at.ca)) return missing("CA");
  if (!place("C", made.at.c)) return missing("C");
  if (!place("O", made.o) && !place("OXT", made.o)) return missing("O");
  return made;
}

Result<Protein> protein_of(const gemmi::Structure& structure, const std::string& name, const ReadOptions& options) {
  if (structure.models.empty()) return wrong(name, "expected a model with atoms, found none");
  const gemmi::Chain* chain = find_chain(structure.models.front(), options.chain);
  if (chain == nullptr) {
    return wrong(name, options.chain.empty() ? "expected a chain of amino acids, found none"
                                             : "expected a chain " + options.chain +
                                                   " of amino acids, found none; see the file's chains");
  }
  Protein protein{.name = name};
  for (const gemmi::Residue& residue : chain->residues) {
    if (!is_part(residue, protein)) continue;
    Result<ProteinResidue> made = converted(*chain, residue);
    if (!made && options.whole) return Error{made.error()};
    if (made) {
      protein.residues.push_back(*made);
    } else {
      protein.left_out.push_back({protein.size(), name_of(*chain, residue), made.error()});
    }
  }
  if (!options.whole) return protein;
  if (const Status status = validate_joints(protein, 0, protein.size() - 1); !status) return Error{status.error()};
  return protein;
}

}  // namespace

Result<Protein> read_structure(const std::string& path, const ReadOptions& options) {
  try {
    return protein_of(gemmi::read_structure_file(path), path, options);
  } catch (const std::exception& error) {
    return wrong(path, std::string("expected a PDB or mmCIF file, found: ") + error.what());
  }
}

Result<Protein> parse_pdb(const std::string& text, const std::string& name, const ReadOptions& options) {
  try {
    return protein_of(gemmi::read_pdb_string(text, name), name, options);
  } catch (const std::exception& error) {
    return wrong(name, std::string("expected a PDB file, found: ") + error.what());
  }
}

Result<Window> find_window(const Protein& protein, const std::string& first, const std::string& last) {
  const auto window = locate_window(protein, first, last);
  if (!window) return Error{window.error()};
  if (const Status status = validate(*window, protein); !status) return Error{status.error()};
  return *window;
}

Result<Window> locate_window(const Protein& protein, const std::string& first, const std::string& last) {
  const auto find = [&](const std::string& number) {
    for (int i = 0; i < protein.size(); ++i) {
      if (number_of(protein.residue(i).name) == number) return i;
    }
    return -1;
  };
  const int begin = find(first), end = find(last);
  for (const auto& [found, number] : {std::pair(begin, first), std::pair(end, last)}) {
    if (found >= 0) continue;
    for (const LeftOut& gone : protein.left_out) {
      if (number_of(gone.name) == number) return Error{gone.error};
    }
    return wrong("residue " + number, "expected one of " + protein.name + ", found none of that number");
  }
  return Window{.first = begin, .residues = end - begin + 1};
}

}  // namespace elastane::protein_loop
