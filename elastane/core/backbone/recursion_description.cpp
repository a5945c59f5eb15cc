#include "elastane/core/backbone/description.h"
#include "elastane/core/backbone/recursion.h"

namespace elastane {
namespace {

// αh + λ(W₂ gelu(W₁h + b₁) + drive)
Register iteration(const Recursion& b, Register h, Register drive, ProgramBuilder& ops) {
  const Register inner = ops.activate(Curve::gelu, ops.linear(b.up, b.up_bias, h, b.inner));
  const Register phi = ops.add(ops.linear(b.down, nullptr, inner, b.hidden), drive);
  if (b.config.form == RecursionForm::contraction) return phi;
  float* gain = ops.constants(static_cast<std::size_t>(padded(b.hidden)));
  float* keep = ops.constants(static_cast<std::size_t>(padded(b.hidden)));
  for (int i = 0; i < padded(b.hidden); ++i) {
    gain[i] = static_cast<float>(b.gain);
    keep[i] = static_cast<float>(b.keep);
  }
  return ops.scale_add(gain, phi, ops.scale_add(keep, h));
}

}  // namespace

// A recursion has no latent: what a corrector moves below changes u, and h* follows it. Where there is no fixed point,
// all iterations are part of the program.
Register describe(const Recursion& b, Register u, Description& d) {
  ProgramBuilder& ops = d.ops;
  float* gain = ops.constants(static_cast<std::size_t>(padded(b.hidden)));
  for (int i = 0; i < padded(b.hidden); ++i) gain[i] = static_cast<float>(b.drive_gain);
  const Register drive = ops.scale_add(gain, ops.linear(b.input, nullptr, u, b.hidden), b.offset);
  if (b.lipschitz < 1) {
    ProgramBuilder step(ops.adjoints());
    const Register h = step.input(b.hidden, true), input = step.input(b.hidden, true);
    const Register next = iteration(b, h, input, step);
    const Register outputs[] = {next};
    return ops.fixed_point(step.finish(outputs), h, input, next, b.lipschitz, drive);
  }
  Register h = ops.scale_add(ops.constants(static_cast<std::size_t>(padded(b.hidden))), drive);  // 0
  for (int k = 0; k < b.config.depth; ++k) h = iteration(b, h, drive, ops);
  return h;
}

}  // namespace elastane
