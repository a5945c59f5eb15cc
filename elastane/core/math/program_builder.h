// Builds a program: operations are appended one by one, and each call returns the register of its result.
//
// What depends on an active input is active; everything else is computed once per step. finish() works out, going
// backwards, which adjoints are written and which are added to, so that no pass clears more than it must.
#pragma once

#include <span>

#include "elastane/core/math/program.h"

namespace elastane {

class ProgramBuilder {
 public:
  // with `adjoints` every matrix is kept transposed as well
  explicit ProgramBuilder(bool adjoints) : adjoints_(adjoints) {}

  Register input(int n, bool active);
  bool active(Register r) const;

  // b + Wx, with n true rows; and only the rows [first, first + n), b null
  Register linear(const PackedMatrix& w, const float* bias, Register x, int n);
  Register linear_rows(const PackedMatrix& w, int first, int n, Register x);

  Register activate(Curve kind, Register x);
  Register activate(Activation kind, Register x);  // x itself for `none`
  Register multiply(Register a, Register b);
  Register scale(Register s, Register x);                                    // s·x, s a scalar
  Register add(Register x, Register r);                                      // x + r
  Register subtract(Register r, Register x);                                 // r − x
  Register scale_add(const float* p, Register x, Register r);                // p ⊙ x + r
  Register scale_add(const float* p, Register x, const float* r = nullptr);  // the same with a constant r, or none

  Register norm(Norm kind, const float* weight, const float* bias, Register x);  // x itself for `none`
  Register contract(Register c, Register s, int states, int n);
  Register weigh(const float* planes, Register s, int states, int n);
  Register adapt(const float* directions, Register c, Register f, int rank, int n);

  struct Angles {
    Register cosine, sine;
  };
  Angles turn(const double* frequency, int half, Register elapsed);
  Register rotate(Angles angles, Register x, int heads, int size);
  // `moves`: the window differs in every run, so this is never fixed
  Register attend(const AttentionShape& shape, int window, Register q, Register k, Register v, bool moves);

  Register selective_step(const float* a, Register delta, Register x, Register b, Register s, int states, int n);
  Register discretise(const Discretise& form, Register dt);  // its sizes and planes; the rest is filled in
  Register diagonal_step(Register planes, Register u, Register s, int pairs, int n);
  Register accrue(Register x, Register dt);

  // the fixed point of `step`, a program with adjoints where this one has them, that contracts by `lipschitz`: its
  // registers h (start), b (input, given by `drive`) and next
  Register fixed_point(Program step, Register h, Register b, Register next, double lipschitz, Register drive);
  bool adjoints() const { return adjoints_; }

  // moving operations so far
  int moving() const { return static_cast<int>(program_.moving.size()); }

  // memory for the program's own constants
  float* constants(std::size_t floats);

  // `outputs`: where adjoints begin
  Program finish(std::span<const Register> outputs);

 private:
  Register take(int n);
  Source source(Register r) const;
  template <class O>
  void append(O op, bool moves = false);
  Register append_scale_add(float gain, const float* p, const float* constant, Register x, Register r);
  PackedMatrix transpose(const PackedMatrix& w);
  void find_backward(std::span<const Register> outputs);
  void keep_rows(Register output);
  void find_shared();

  bool adjoints_;
  Program program_;
  std::vector<bool> active_;      // by lane
  std::vector<Register> inputs_;  // all
};

}  // namespace elastane
