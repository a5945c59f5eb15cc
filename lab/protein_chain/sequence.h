// Residues as their letters, and what the Ramachandran plot makes of each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace elastane::protein_chain {

inline constexpr int kMostResidues = 16;  // of one chain in torsions
inline constexpr std::string_view kLetters = "ACDEFGHIKLMNPQRSTVWY";

// residues whose backbone behaves alike; the one before a proline is a class of its own
enum class Class : std::uint8_t { general, ile_val, gly, pro, pre_pro };
inline constexpr int kClasses = 5;
Class class_of(char letter, char next);

struct Sequence {
  std::array<char, kMostResidues> letters = {};
  std::array<Class, kMostResidues> classes = {};
  int residues = 0;

  std::string text() const { return {letters.data(), static_cast<std::size_t>(residues)}; }
  bool has_cb(int residue) const { return letters[static_cast<std::size_t>(residue)] != 'G'; }
};

// of at most kMostResidues letters, all of the twenty; `next` is what follows the last of them, if anything does
Sequence classified(std::string_view letters, char next = ' ');

std::string_view three_letters(char letter);  // "ALA", as PDB files have it

}  // namespace elastane::protein_chain
