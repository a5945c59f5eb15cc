#include "lab/protein_loop/structure.h"

#include <algorithm>
#include <exception>
#include <string_view>

#include "elastane/io/file.h"
#include "lab/protein_loop/listing.h"

namespace elastane::protein_loop {
namespace {

Error wrong(const std::string& where, const std::string& what) { return Error{"[structure] " + where + ": " + what}; }

std::string name_of(const ListedChain& chain, const ListedResidue& residue) {
  return chain.name + " " + residue.number + " " + residue.name;
}

// "155" of "A 155 LEU"
std::string number_of(const std::string& name) {
  const std::size_t end = name.rfind(' '), begin = name.rfind(' ', end - 1) + 1;
  return name.substr(begin, end - begin);
}

bool is_amino_acid(const ListedResidue& residue) {
  return protein_chain::kLetters.find(residue.letter) != std::string_view::npos;
}

// Is it part of the chain? Water, ions and ligands are listed with it. A residue that is not an amino acid counts if the
// chain continues through it.
bool is_part(const ListedResidue& residue, const Protein& so_far) {
  if (is_amino_acid(residue)) return true;
  if (!residue.n) return false;
  if (so_far.size() == 0) return !residue.hetero;
  return length(*residue.n - so_far.residues.back().at.c) < kLongestJoint;
}

const ListedChain* find_chain(const std::vector<ListedChain>& chains, const std::string& wanted) {
  for (const ListedChain& chain : chains) {
    if (!wanted.empty() && chain.name != wanted) continue;
    if (std::ranges::any_of(chain.residues, is_amino_acid)) return &chain;
  }
  return nullptr;
}

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

Result<ProteinResidue> converted(const ListedResidue& residue, const std::string& name) {
  if (!is_amino_acid(residue)) {
    return wrong("residue " + name,
                 "expected one of the twenty amino acids, found " + residue.name + "; rename or remove it");
  }
  for (const auto& [atom, place] :
       {std::pair("N", residue.n), std::pair("CA", residue.ca), std::pair("C", residue.c), std::pair("O", residue.o)}) {
    if (!place) {
      return wrong("residue " + name, std::string("expected atoms N, CA, C and O, found no ") + atom +
                                          "; complete it, or cut the chain there");
    }
    if (!is_finite(*place)) {
      return wrong("residue " + name, std::string("expected finite coordinates of ") + atom + ", found others");
    }
  }
  ProteinResidue made;
  made.at = {*residue.n, *residue.ca, *residue.c};
  made.o = *residue.o;
  made.letter = residue.letter;
  made.name = name;
  return made;
}

Result<Protein> protein_of(const std::vector<ListedChain>& chains, const std::string& name,
                           const ReadOptions& options) {
  if (chains.empty()) {
    return wrong(
        name, "expected atoms, found none (in mmCIF, atom_site also needs auth_seq_id, occupancy and B_iso_or_equiv)");
  }
  const ListedChain* chain = find_chain(chains, options.chain);
  if (chain == nullptr) {
    return wrong(name, options.chain.empty() ? "expected a chain of amino acids, found none"
                                             : "expected a chain " + options.chain +
                                                   " of amino acids, found none; see the file's chains");
  }
  Protein protein{.name = name};
  for (const ListedResidue& residue : chain->residues) {
    if (!is_part(residue, protein)) continue;
    const std::string called = name_of(*chain, residue);
    Result<ProteinResidue> made = converted(residue, called);
    if (!made && options.whole) return Error{made.error()};
    if (made) {
      protein.residues.push_back(*made);
    } else {
      protein.skipped.push_back({protein.size(), called, made.error()});
    }
  }
  if (!options.whole) return protein;
  if (const Status status = validate_joints(protein, 0, protein.size() - 1); !status) return Error{status.error()};
  return protein;
}

}  // namespace

Result<Protein> read_structure(const std::string& path, const ReadOptions& options) {
  const auto file = FileContent::open(path);
  if (!file) return Error{file.error()};
  const std::span<const std::byte> bytes = file->bytes();
  return parse_structure({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path, options);
}

Result<Protein> parse_structure(const std::string& text, const std::string& name, const ReadOptions& options) {
  try {
    return protein_of(list_chains(text, name), name, options);
  } catch (const std::exception& error) {
    return wrong(name, std::string("expected a PDB or mmCIF file, found: ") + error.what());
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
    for (const SkippedResidue& gone : protein.skipped) {
      if (number_of(gone.name) == number) return Error{gone.error};
    }
    const std::string range = protein.size() == 0 ? "which has none"
                                                  : "which has " + number_of(protein.residues.front().name) + " to " +
                                                        number_of(protein.residues.back().name);
    return wrong("residue " + number, "expected one of " + protein.name + ", " + range + ", found none of that number");
  }
  return Window{.first = begin, .residues = end - begin + 1};
}

}  // namespace elastane::protein_loop
