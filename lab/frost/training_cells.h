// How recursions over cells and their rivals are trained, on small episodes alone.
#pragma once

#include "lab/frost/cells.h"

namespace elastane::frost {

struct CellsTraining {
  Task task = Task::grid;
  std::uint64_t seed = 1;
  int steps = 0, batch = 48;
  int depth = 0;
  double rate = 0;  // of the optimiser at its largest; 0: as the method needs
};

// a model for episodes of the training size: 8 x 8, or 12 bits
ModelFile train_recursion(const CellsTraining& training);

// trains a rival alike, and tests it at the depth that it was trained for and at larger ones. `curve` of a row is the
// share of solved episodes at 1, 1.25, 1.5, 2, 3 and 4 times its depth; accuracy and solved are those of its best depth
std::vector<benchmark::DepthRow> train_rival(const std::string& method, const CellsTraining& training,
                                             const std::vector<CellsTest>& tests);

}  // namespace elastane::frost
