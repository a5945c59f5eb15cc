#include "elastane/worlds/peptide/sequence.h"

namespace elastane::peptide {
namespace {

constexpr std::array<std::string_view, 20> kNames = {"ALA", "CYS", "ASP", "GLU", "PHE", "GLY", "HIS",
                                                     "ILE", "LYS", "LEU", "MET", "ASN", "PRO", "GLN",
                                                     "ARG", "SER", "THR", "VAL", "TRP", "TYR"};

Class class_of(char letter, char next) {
  if (letter == 'G') return Class::gly;
  if (letter == 'P') return Class::pro;
  if (next == 'P') return Class::pre_pro;
  return letter == 'I' || letter == 'V' ? Class::ile_val : Class::general;
}

Sequence classified(std::string_view letters) {
  Sequence sequence;
  sequence.residues = static_cast<int>(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    sequence.letters[i] = letters[i];
    sequence.classes[i] = class_of(letters[i], i + 1 < letters.size() ? letters[i + 1] : ' ');
  }
  return sequence;
}

}  // namespace

Result<Sequence> parse_sequence(std::string_view letters) {
  if (letters.size() < kLeastResidues || letters.size() > kMostResidues) {
    return Error{"[peptide] sequence: expected 8 to 12 residues, found " + std::to_string(letters.size()) + " in \"" +
                 std::string(letters) + "\"; give one letter for each residue"};
  }
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (kLetters.find(letters[i]) == std::string_view::npos) {
      return Error{"[peptide] residue " + std::to_string(i + 1) + ": expected one of " + std::string(kLetters) +
                   ", found \"" + std::string(1, letters[i]) + "\"; use capital one-letter codes"};
    }
  }
  return classified(letters);
}

Sequence random_sequence(Random& random) {
  std::string letters(static_cast<std::size_t>(kLeastResidues + random.below(kMostResidues - kLeastResidues + 1)), ' ');
  for (char& letter : letters) letter = kLetters[static_cast<std::size_t>(random.below(20))];
  return classified(letters);
}

std::string_view three_letters(char letter) {
  const std::size_t place = kLetters.find(letter);
  return place == std::string_view::npos ? "UNK" : kNames[place];
}

}  // namespace elastane::peptide
