// The operation y = h*, with h* = Φ(h*, b) the fixed point of a program that contracts.
//
// Its derivatives are solves of the same kind, by the same iteration, and converge at the same rate:
//   tangent     ḣ = Jḣ + Φ_b ḃ           adjoint     w = Jᵀw + ȳ,  b̄ = Φ_bᵀw
//   second      ḧ = Jḧ + Φ_b b̈ + D²Φ[(ḣ, ḃ), (ḣ, ḃ)]
// The program has a tape of its own inside of the outer one, and the same place in rows of tangents and adjoints.
#pragma once

#include <memory>

#include "elastane/core/math/tape.h"

namespace elastane {

struct Program;

struct FixedPoint {
  std::shared_ptr<const Program> step;  // Φ
  Register h, b, next;                  // on its own tape: where it starts, its input, where it ends
  int most;                             // iterations until float32, and twice as many until double
  std::int64_t cost;                    // of them all
  Source drive;                         // b on the outer tape
  Register tape, y;                     // the own tape; h*

  void sources(auto visit) { visit(drive); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return cost; }

  template <class T>
  void value(const Pass<T>& p) const;
  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const;
  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const;
  template <class T>
  void bend(const Pass<T>& p, const T* d, T* dd) const;

 private:
  template <class T>
  Pass<T> inside(const Pass<T>& p) const;
};

}  // namespace elastane
