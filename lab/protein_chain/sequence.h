// Residues as letters, and the class of each in the Ramachandran plot.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace elastane::protein_chain {

inline constexpr int kMaxResidues = 16;  // of a chain with torsions
inline constexpr std::string_view kLetters = "ACDEFGHIKLMNPQRSTVWY";

// residues with similar backbones; the residue before a proline is a separate class
enum class Class : std::uint8_t { general, ile_val, gly, pro, pre_pro };
inline constexpr int kClasses = 5;
Class class_of(char letter, char next);

struct Sequence {
  std::array<char, kMaxResidues> letters = {};
  std::array<Class, kMaxResidues> classes = {};
  int residues = 0;

  std::string text() const { return {letters.data(), static_cast<std::size_t>(residues)}; }
  bool has_cb(int residue) const { return letters[static_cast<std::size_t>(residue)] != 'G'; }
};

// from at most kMaxResidues letters, all among the twenty; `next` is the residue after the last one, or a blank
Sequence classified(std::string_view letters, char next = ' ');

std::string_view three_letters(char letter);  // "ALA", as in PDB files

}  // namespace elastane::protein_chain
