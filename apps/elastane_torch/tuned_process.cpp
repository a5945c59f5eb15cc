#include "apps/elastane_torch/tuned_process.h"

#include <unistd.h>

#include <cstdlib>

namespace elastane::libtorch {
namespace {

// true if the variable was not there before
bool set_if_unset(const char* name, const char* value) {
  if (std::getenv(name) != nullptr) return false;
  return setenv(name, value, 0) == 0;
}

}  // namespace

// OPENBLAS_CORETYPE: OpenBLAS 0.3.21 takes processors that are younger than itself for a Prescott (SSE3). It picks its
// kernels when it is loaded, before main, so the program has to start anew. Measured on a Zen 4, sgemv as a step uses
// it, sum over one mamba block of width 256: SkylakeX 18.1, Cooperlake 17.9, Haswell 17.7, Zen 18.0 µs; at width 64:
// 1.54, 1.67, 1.61, 1.66. That is noise, but with Haswell and Zen a one-row sgemm takes six times as long. Cooperlake
// cannot be asked for by name.
//
// ATEN_CPU_CAPABILITY: ATen stays with AVX2 unless told. AVX-512 takes 0.5 to 0.7 of the time in exp, silu, softplus.
void tune_process(char** arguments) {
  bool changed = false;
  if (__builtin_cpu_supports("avx512f")) {
    changed |= set_if_unset("OPENBLAS_CORETYPE", "SkylakeX");
    changed |= set_if_unset("ATEN_CPU_CAPABILITY", "avx512");
  } else if (__builtin_cpu_supports("avx2")) {
    changed |= set_if_unset("OPENBLAS_CORETYPE", "Haswell");
  }
  if (changed) execv("/proc/self/exe", arguments);  // returns only on failure; then it runs untuned
}

}  // namespace elastane::libtorch
