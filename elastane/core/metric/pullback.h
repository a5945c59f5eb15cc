// A = JᵀWJ at the current point, as metrics see it: products in batches of directions.
#pragma once

#include <span>

#include "elastane/core/base/view.h"

namespace elastane {

class Pullback {
 public:
  virtual int latents() const = 0;  // d
  virtual int outputs() const = 0;  // m

  virtual void jvp(ConstDoubleRows q, DoubleRows jq) = 0;    // J q for every row
  virtual void vjp(ConstDoubleRows w, DoubleRows jtw) = 0;   // Jᵀ w for every row
  virtual void weigh(ConstDoubleRows u, DoubleRows wu) = 0;  // W u for every row
  virtual bool diagonal(std::span<double> w) = 0;            // fills W's diagonal if that is all of it
  // vjp of all unit vectors in their order: the rows of J
  virtual void jacobian(ConstDoubleRows units, DoubleRows rows) { vjp(units, rows); }

 protected:
  ~Pullback() = default;
};

}  // namespace elastane
