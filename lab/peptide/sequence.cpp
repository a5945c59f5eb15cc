#include "lab/peptide/sequence.h"

#include <string>

namespace elastane::peptide {

Result<Sequence> parse_sequence(std::string_view letters) {
  if (letters.size() < kMinResidues || letters.size() > kMaxResidues) {
    return Error{"[peptide] sequence: expected 8 to 12 residues, found " + std::to_string(letters.size()) + " in \"" +
                 std::string(letters) + "\"; give one letter for each residue"};
  }
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (kLetters.find(letters[i]) == std::string_view::npos) {
      return Error{"[peptide] residue " + std::to_string(i + 1) + ": expected one of " + std::string(kLetters) +
                   ", found \"" + std::string(1, letters[i]) + "\"; use capital one-letter codes"};
    }
  }
  return protein_chain::classified(letters);
}

Sequence random_sequence(Random& random) {
  std::string letters(static_cast<std::size_t>(kMinResidues + random.below(kMaxResidues - kMinResidues + 1)), ' ');
  for (char& letter : letters) letter = kLetters[static_cast<std::size_t>(random.below(20))];
  return protein_chain::classified(letters);
}

}  // namespace elastane::peptide
