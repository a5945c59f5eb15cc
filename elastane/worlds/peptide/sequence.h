// A peptide as its letters, and what the Ramachandran plot makes of each residue.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "elastane/core/base/random.h"
#include "elastane/core/base/result.h"

namespace elastane::peptide {

inline constexpr int kLeastResidues = 8, kMostResidues = 12;
inline constexpr std::string_view kLetters = "ACDEFGHIKLMNPQRSTVWY";

// residues whose backbone behaves alike; the one before a proline is a class of its own
enum class Class : std::uint8_t { general, ile_val, gly, pro, pre_pro };
inline constexpr int kClasses = 5;

struct Sequence {
  std::array<char, kMostResidues> letters = {};
  std::array<Class, kMostResidues> classes = {};
  int residues = 0;

  std::string text() const { return {letters.data(), static_cast<std::size_t>(residues)}; }
  bool has_cb(int residue) const { return letters[static_cast<std::size_t>(residue)] != 'G'; }
};

// one letter a residue; a letter that is none of the twenty, or a length that is out of range, is named
Result<Sequence> parse_sequence(std::string_view letters);
// a length and letters, all alike likely
Sequence random_sequence(Random& random);

std::string_view three_letters(char letter);  // "ALA", as PDB files have it

}  // namespace elastane::peptide
