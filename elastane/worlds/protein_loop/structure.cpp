#include "elastane/worlds/protein_loop/structure.h"

#include <exception>
#include <gemmi/mmread.hpp>
#include <gemmi/resinfo.hpp>

namespace elastane::protein_loop {
namespace {

constexpr double kLongestJoint = 2.0;  // Å between C and the next N; a peptide bond has 1.33

Error wrong(const std::string& where, const std::string& what) {
  return Error{"[structure] " + where + ": " + what};
}

std::string name_of(const gemmi::Chain& chain, const gemmi::Residue& residue) {
  return chain.name + " " + residue.seqid.str() + " " + residue.name;
}

// one of the twenty that an amino acid is or stands for (selenomethionine is methionine); ' ' where it is none
char letter_of(const gemmi::Residue& residue) {
  const gemmi::ResidueInfo& info = gemmi::find_tabulated_residue(residue.name);
  if (!info.is_amino_acid()) return ' ';
  const char letter = static_cast<char>(info.one_letter_code & ~0x20);
  return backbone::kLetters.find(letter) == std::string_view::npos ? ' ' : letter;
}

bool is_residue(const gemmi::Residue& residue) {
  return residue.het_flag != 'H' || gemmi::find_tabulated_residue(residue.name).is_amino_acid() ||
         residue.find_atom("CA", '*', gemmi::El::C) != nullptr;
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
    return wrong("residue " + made.name, "expected one of the twenty amino acids, found " + residue.name +
                                             "; rename or remove it");
  }
  const auto place = [&](const char* atom, Vec3& at) {
    const gemmi::Atom* found = residue.find_atom(atom, '*');
    if (found == nullptr) return false;
    at = {found->pos.x, found->pos.y, found->pos.z};
    return true;
  };
  const auto missing = [&](const char* atom) {
    return wrong("residue " + made.name,
                 std::string("expected atoms N, CA, C and O, found no ") + atom + "; complete it, or cut the chain there");
  };
  if (!place("N", made.at.n)) return missing("N");
  if (!place("CA", made.at.ca)) return missing("CA");
  if (!place("C", made.at.c)) return missing("C");
  if (!place("O", made.o) && !place("OXT", made.o)) return missing("O");
  return made;
}

Result<Protein> protein_of(const gemmi::Structure& structure, const std::string& name, const std::string& wanted) {
  if (structure.models.empty()) return wrong(name, "expected a model with atoms, found none");
  const gemmi::Chain* chain = find_chain(structure.models.front(), wanted);
  if (chain == nullptr) {
    return wrong(name, wanted.empty() ? "expected a chain of amino acids, found none"
                                      : "expected a chain " + wanted + " of amino acids, found none; see the file's chains");
  }
  Protein protein{.name = name, .residues = {}};
  for (const gemmi::Residue& residue : chain->residues) {
    if (!is_residue(residue)) continue;  // water, ions, ligands
    Result<ProteinResidue> made = converted(*chain, residue);
    if (!made) return Error{made.error()};
    if (protein.size() > 0) {
      const ProteinResidue& before = protein.residues.back();
      const double joint = length(made->at.n - before.at.c);
      if (joint > kLongestJoint) {
        return wrong("residues " + before.name + " and " + made->name,
                     "expected them bonded, found C and N " + std::to_string(joint).substr(0, 4) +
                         " Å apart; the chain is broken there");
      }
    }
    protein.residues.push_back(*made);
  }
  return protein;
}

}  // namespace

Result<Protein> read_structure(const std::string& path, const std::string& chain) {
  try {
    return protein_of(gemmi::read_structure_file(path), path, chain);
  } catch (const std::exception& error) {
    return wrong(path, std::string("expected a PDB or mmCIF file, found: ") + error.what());
  }
}

Result<Protein> parse_pdb(const std::string& text, const std::string& name, const std::string& chain) {
  try {
    return protein_of(gemmi::read_pdb_string(text, name), name, chain);
  } catch (const std::exception& error) {
    return wrong(name, std::string("expected a PDB file, found: ") + error.what());
  }
}

Result<Window> find_window(const Protein& protein, const std::string& first, const std::string& last) {
  const auto find = [&](const std::string& number) {
    for (int i = 0; i < protein.size(); ++i) {
      const std::string& name = protein.residue(i).name;
      const std::size_t begin = name.find(' ') + 1, end = name.rfind(' ');
      if (name.substr(begin, end - begin) == number) return i;
    }
    return -1;
  };
  const int begin = find(first), end = find(last);
  for (const auto& [found, number] : {std::pair(begin, first), std::pair(end, last)}) {
    if (found < 0) return wrong("residue " + number, "expected one of " + protein.name + ", found none of that number");
  }
  const Window window{.first = begin, .residues = end - begin + 1};
  if (const Status status = validate(window, protein); !status) return Error{status.error()};
  return window;
}

}  // namespace elastane::protein_loop
