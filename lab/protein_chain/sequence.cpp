#include "lab/protein_chain/sequence.h"

namespace elastane::protein_chain {
namespace {

constexpr std::array<std::string_view, 20> kNames = {"ALA", "CYS", "ASP", "GLU", "PHE", "GLY", "HIS",
                                                     "ILE", "LYS", "LEU", "MET", "ASN", "PRO", "GLN",
                                                     "ARG", "SER", "THR", "VAL", "TRP", "TYR"};

}  // namespace

Class class_of(char letter, char next) {
  if (letter == 'G') return Class::gly;
  if (letter == 'P') return Class::pro;
  if (next == 'P') return Class::pre_pro;
  return letter == 'I' || letter == 'V' ? Class::ile_val : Class::general;
}

Sequence classified(std::string_view letters, char next) {
  Sequence sequence;
  sequence.residues = static_cast<int>(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    sequence.letters[i] = letters[i];
    sequence.classes[i] = class_of(letters[i], i + 1 < letters.size() ? letters[i + 1] : next);
  }
  return sequence;
}

std::string_view three_letters(char letter) {
  const std::size_t place = kLetters.find(letter);
  return place == std::string_view::npos ? "UNK" : kNames[place];
}

}  // namespace elastane::protein_chain
