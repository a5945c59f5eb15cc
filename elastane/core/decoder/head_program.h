// The head in the words of a program.
#pragma once

#include "elastane/core/decoder/head.h"
#include "elastane/core/math/program_builder.h"

namespace elastane {

struct HeadRegisters {
  Register features;  // what the last layer sees
  Register output;
};
HeadRegisters describe(const Head& head, Register h, int outputs, ProgramBuilder& ops);

}  // namespace elastane
