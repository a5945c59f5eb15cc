// A function as a straight line of few kinds of operations, each of which knows its value and its derivatives.
//
// Blocks describe themselves to a ProgramBuilder, so no derivative is written twice. Operations that do not depend on
// the latents (fixed) run once per step, the others (moving) at every point. In float, matrices go through the kernels;
// in double everything is a naive loop, and that is the oracle.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "elastane/core/base/buffer.h"
#include "elastane/core/math/ops/adapt.h"
#include "elastane/core/math/ops/attention.h"
#include "elastane/core/math/ops/elementwise.h"
#include "elastane/core/math/ops/fixed_point.h"
#include "elastane/core/math/ops/linear.h"
#include "elastane/core/math/ops/norm.h"
#include "elastane/core/math/ops/planes.h"
#include "elastane/core/math/ops/steps.h"

namespace elastane {

using Op = std::variant<Linear, Activate, Multiply, ScaleAdd, Scale, Normalise, Contract, Weigh, Adapt, Turn, Rotate,
                        Attend, SelectiveStep, Discretise, DiagonalStep, Accrue, FixedPoint>;

struct Program {
  std::vector<Op> fixed, moving;  // in order
  std::vector<int> backward;      // the moving ones that an output depends on, last first
  std::vector<Register> shared;   // what a fresh tape needs before its moving operations run
  std::vector<Register> cleared;  // adjoints that no operation writes, or not as a whole

  int tape_floats = 0;     // of one tape, one tangent or one adjoint
  int scratch_floats = 0;  // per row

  // counted multiply-adds; of derivatives, per direction
  std::int64_t value_macs = 0, jvp_macs = 0, vjp_macs = 0;

  std::vector<Buffer> constants;  // transposes and other arrays that operations point to

  Program() = default;
  Program(Program&&) = default;
  Program& operator=(Program&&) = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() = default;
};

// what does not depend on the latents; share() then gives it to another tape
template <class T>
void run_fixed(const Program& program, const Pass<T>& pass);
template <class T>
void share(const Program& program, const T* from, T* to);

// values of all moving operations, or of the first `count`
template <class T>
void run(const Program& program, const Pass<T>& pass, int count);
template <class T>
void run(const Program& program, const Pass<T>& pass) {
  run(program, pass, static_cast<int>(program.moving.size()));
}

// values of the moving operations from `first` on, of several tapes with the same windows: matrices are read once
template <class T>
void run_rows(const Program& program, const Pass<T>& pass, BasicRows<T> tapes, int first);
// and their tangents, one for each tape
template <class T>
void run_jvp_rows(const Program& program, const Pass<T>& pass, BasicRows<T> tapes, BasicRows<T> d, int first);

// tangents of all moving operations, or of the first `count`, where `d` holds those of the inputs
template <class T>
void run_jvp(const Program& program, const Pass<T>& pass, BasicRows<T> d, int count);
template <class T>
void run_jvp(const Program& program, const Pass<T>& pass, BasicRows<T> d) {
  run_jvp(program, pass, d, static_cast<int>(program.moving.size()));
}

// adjoints of all inputs, where `a` holds those of the outputs
template <class T>
void run_vjp(const Program& program, const Pass<T>& pass, BasicRows<T> a);

// the same where those are unit vectors, of output `first` and those after it
template <class T>
void run_vjp_units(const Program& program, const Pass<T>& pass, Register output, int first, BasicRows<T> a);

// row 0 of `d`: tangents; row 1: second derivatives along the same curve
template <class T>
void run_second(const Program& program, const Pass<T>& pass, BasicRows<T> d);

}  // namespace elastane
