// The kernels of forecasters: covariances of which only the lower blocks are stored, which is half of the memory traffic of
// a full matrix, and mixtures of all steps of a horizon at once.
//
// Rows are padded to kDoubleLane. Row i of a covariance holds the columns up to the end of its own block, ⌊i/8⌋·8 + 8; what
// lies right of them is neither read nor written. Padding of vectors holds zeros.
#pragma once

#include "elastane/core/math/kernels.h"

namespace elastane {

// mixtures of the same members, one for each step of a horizon; arrays by step, padded
struct MixtureBatch {
  //                       meaning                                     shape
  const double* errors;  // of the members                             [members][steps]
  const double* gain;    // 1 − β; 0: the step has no label, and stays [steps]
  const double* first;   // w⁰                                         [members]
  double* common;        // C                                          [members][members][steps]
  double* shares;        // w                                          [members][steps]
  int members, steps;
  int favoured;                 // the member without δ
  double rate, share, caution;  // η, γ, δ
};

// one label and the H forecasts of it, made 1 … H rows ago by one read-out of one target; arrays are rings by tick mod H
struct LabelBatch {
  //                         meaning                                   shape
  const double* features;  // φ                                        [H][stride]
  const double* anchor;    // x                                        [H]
  const double* gains;     // k                                        [H][stride]
  const double* reach;     // 0: nothing to learn                      [H]
  double* weights;         // W                                        [H][stride]
  int horizon, stride;
  int slot, origins;  // of this row in the rings; rows before it that have a forecast
  double label;
};

struct ForecastKernels {
  Isa isa;
  void (*product)(ConstDoubleRows p, const double* x, double* out);      // out = P·x, padding included
  void (*shrink)(const double* u, double c, double grow, DoubleRows p);  // P ← grow·(P − c·uuᵀ)
  double (*dot)(const double* a, const double* b, int n);                // a·b; n is padded
  void (*follow_mixtures)(const MixtureBatch& batch);                    // follow of mixture.h for every known step
  bool (*learn_label)(const LabelBatch& batch);  // W_h ← W_h + (label − W_hᵀφ − x)k; false: nothing was to learn
};

// those of the same instruction set as these kernels
const ForecastKernels& forecast_kernels(Isa isa);

}  // namespace elastane
