// The iterations of one row of a recursion over cells, a grid or a line. States lie [channel][cell].
#pragma once

#include "elastane/core/backbone/recursion.h"

namespace elastane {

// of one row
struct CellScratch {
  float* inject;  // I        [hidden][cell]
  float* gate;    // G        [hidden][cell]
  float* taps;    // what h sees besides itself: neighbours, or left and right [1 or 2][hidden][cell]
  float* next;    // Φ(h)     [hidden][cell]
  float* units;   // read-out [2·hidden + kCellHidden][cell]
};
int cell_scratch_floats(const Recursion& block);
CellScratch cell_scratch(const Recursion& block, float* scratch);

// I and G from the inputs u [cell][feature]
void drive_cells(const Recursion& block, const float* u, const CellScratch& s);

struct CellChange {
  double change = 0, size = 0;  // largest |Φ(h) − h| and |Φ(h)|
};
// one iteration, in place
CellChange iterate_cells(const Recursion& block, const CellScratch& s, float* h);

// Is the class of every cell, the largest of its outputs, the same for all states within `bound` of h? By intervals
// through the read-out, which is monotone where it is not linear
bool classes_are_certain(const Recursion& block, const float* h, double bound);

// o [cell][feature] from h
void read_cells(const Recursion& block, const float* h, const CellScratch& s, float* o);

}  // namespace elastane
