// Products with symmetric matrices of which only the lower blocks are stored: half of the memory traffic of a full matrix.
//
// Rows are padded to kDoubleLane. Row i holds the columns up to the end of its own block, ⌊i/8⌋·8 + 8; what lies right of
// them is neither read nor written. Padding of vectors holds zeros.
#pragma once

#include "elastane/core/math/kernels.h"

namespace elastane {

struct SymmetricKernels {
  Isa isa;
  void (*product)(ConstDoubleRows p, const double* x, double* out);      // out = P·x, padding included
  void (*shrink)(const double* u, double c, double grow, DoubleRows p);  // P ← grow·(P − c·uuᵀ)
  double (*dot)(const double* a, const double* b, int n);                // a·b; n is padded
};

// those of the same instruction set as these kernels
const SymmetricKernels& symmetric_kernels(Isa isa);

}  // namespace elastane
