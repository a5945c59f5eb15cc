// The arrays of one correction: every quantity of the algorithm, and the part of it that writes the array.
#pragma once

#include "elastane/core/base/arena.h"

namespace elastane {

struct CorrectionArrays {
  //                            meaning                                shape       written by
  double* z = nullptr;       // the point                              [d]         begin, accept
  double* start = nullptr;   // z⁰, where something pulls back to it   [d]         begin
  double* base = nullptr;    // z + β(z⁰ − z)                          [d]         drift
  double* g = nullptr;       // ∇_z ℓ                                  [d]         score
  double* v = nullptr;       // −G⁻¹g                                  [d]         solve
  double* trial = nullptr;   // Retr_z(αv)                             [d]         retract
  double* bend = nullptr;    // the second-order term                  [d]         retract
  double* pulled = nullptr;  // Jᵀ lag, which bend is solved from      [d]         retract
  double* y = nullptr;       // g(z)                                   [m]         begin, accept
  double* s = nullptr;       // ∇_y ℓ                                  [m]         score
  double* a = nullptr;       // Jv                                     [m]         model_loss
  double* w = nullptr;       // W times something                      [m]         model_loss, retract
  double* jet = nullptr;     // D²g[αv, αv]                            [m]         retract
  double* lag = nullptr;     // what the second-order term pulls back  [m]         retract
  double* moved = nullptr;   // g(trial)                               [m]         retract
  DoubleRows ahead;          // g(Φ_h(z))                              [H − 1][m]  look_ahead
  DoubleRows tilt;           // J DΦ_h v                               [H − 1][m]  model_loss
  DoubleRows tried;          // g(Φ_h(trial))                          [H − 1][m]  try_length

  CorrectionArrays(int d, int m, int horizon) : latents(d), outputs(m), steps_ahead(horizon - 1) {}
  void lay_out(Cutter& cutter) {
    for (double** array : {&z, &start, &base, &g, &v, &trial, &bend, &pulled}) *array = cutter.doubles(latents);
    for (double** array : {&y, &s, &a, &w, &jet, &lag, &moved}) *array = cutter.doubles(outputs);
    for (DoubleRows* rows : {&ahead, &tilt, &tried}) *rows = cutter.double_rows(steps_ahead, outputs);
  }
  int latents, outputs, steps_ahead;  // d, m, H − 1
};

}  // namespace elastane
