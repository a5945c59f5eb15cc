// The environment in which LibTorch and OpenBLAS run fastest on this machine.
#pragma once

namespace elastane::libtorch {

// Starts the program again, once, with the variables that the libraries read while they are loaded; returns if they are
// set already or the processor needs none. What the user has set is left alone.
void tune_process(char** arguments);

}  // namespace elastane::libtorch
