#include "elastane/core/backbone/description.h"
#include "elastane/core/backbone/gru.h"
#include "elastane/core/backbone/lstm.h"

namespace elastane {
namespace {

// gates from the input and from the state, of which gate k is a part
struct Gates {
  Register input, state;
  int n;
  Register of_input(int k) const { return input.part(k * padded(n), n); }
  Register of_state(int k) const { return state.part(k * padded(n), n); }
};

Gates gates_of(const GatedCell& cell, Register u, Register h, ProgramBuilder& ops) {
  return {ops.linear(cell.weight_ih, cell.bias_ih, u, cell.weight_ih.rows),
          ops.linear(cell.weight_hh, cell.bias_hh, h, cell.weight_hh.rows), cell.hidden};
}

// σ(a)^dt
Register retained(Register a, const Description& d) {
  return d.ops.activate(Curve::exponential, d.ops.scale(d.dt, d.ops.activate(Curve::log_sigmoid, a)));
}

}  // namespace

Register describe(const Gru& gru, Register u, Description& d) {
  ProgramBuilder& ops = d.ops;
  const Register h = d.state(gru.slot.dense, 1, gru.hidden);
  if (!d.steps) return h;
  const Gates g = gates_of(gru, u, h, ops);
  const Register r = ops.activate(Curve::sigmoid, ops.add(g.of_input(0), g.of_state(0)));
  const Register keep = retained(ops.add(g.of_input(1), g.of_state(1)), d);                              // ζ
  const Register n = ops.activate(Curve::tanh, ops.add(ops.multiply(r, g.of_state(2)), g.of_input(2)));  // candidate
  return d.next(h, ops.add(ops.multiply(keep, ops.subtract(h, n)), n));  // n + ζ(h − n)
}

Register describe(const Lstm& lstm, Register u, Description& d) {
  ProgramBuilder& ops = d.ops;
  const Register h = d.state(lstm.slot.dense, 1, lstm.hidden);
  const Register c = d.state(lstm.slot.dense + padded(lstm.hidden), 1, lstm.hidden);
  if (!d.steps) return h;
  const Gates g = gates_of(lstm, u, h, ops);
  const auto gate = [&](int k) { return ops.add(g.of_input(k), g.of_state(k)); };
  const Register in = ops.activate(Curve::sigmoid, gate(0)), forget = gate(1);
  const Register candidate = ops.activate(Curve::tanh, gate(2)), out = ops.activate(Curve::sigmoid, gate(3));
  const Register entering = ops.multiply(ops.accrue(forget, d.dt), ops.multiply(in, candidate));
  const Register cell = d.next(c, ops.add(ops.multiply(retained(forget, d), c), entering));  // φc + ((1−φ)/(1−f))·i ⊙ g
  return d.next(h, ops.multiply(out, ops.activate(Curve::tanh, cell)));
}

}  // namespace elastane
