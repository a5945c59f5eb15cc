// The head as a differentiable program.
#pragma once

#include "elastane/core/decoder/head.h"
#include "elastane/core/math/program_builder.h"

namespace elastane {

struct HeadRegisters {
  Register features;  // inputs of the last layer
  Register output;
};
HeadRegisters describe(const Head& head, Register h, int outputs, ProgramBuilder& ops);

}  // namespace elastane
