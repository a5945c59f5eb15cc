// The Ramachandran contours of Top8000, an independent judge: which residues are outliers, by MolProbity's levels.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lab/protein_chain/sequence.h"

namespace elastane::protein_loop {

class Contours {
 public:
  // no value if the folder does not have the files
  static std::optional<Contours> read(const std::string& folder);

  bool is_outlier(protein_chain::Class residue, double phi, double psi) const;  // radians

 private:
  static constexpr int kCells = 180;  // of 2°

  std::array<std::vector<double>, protein_chain::kClasses> levels_;
};

}  // namespace elastane::protein_loop
