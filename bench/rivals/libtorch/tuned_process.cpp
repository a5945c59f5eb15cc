#include "bench/rivals/libtorch/tuned_process.h"

#include <unistd.h>

#include <cstdlib>

namespace elastane::libtorch {
namespace {

// true if the variable was not there before
bool set_if_unset(const char* name, const char* value) {
  if (std::getenv(name) != nullptr) return false;
  return setenv(name, value, 0) == 0;
}

// the part of AVX-512 that both libraries were compiled for
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

}  // namespace

// OPENBLAS_CORETYPE: OpenBLAS picks its kernels while it is loaded, before main, and takes a processor younger than
// itself for a Prescott (SSE3). Median of a mamba step on a Zen 4 (OpenBLAS 0.3.21), width 64 x 2 layers and 256 x 4:
// SkylakeX 13.2 and 135 µs, Haswell 13.3 and 135, Zen 13.5 and 135, its own choice there (Cooperlake, which has no name
// to ask for) 13.1 and 135, Prescott 25 and 434. SkylakeX before Haswell,
// whose one-row sgemm takes six times as long.
//
// ATEN_CPU_CAPABILITY: ATen 1.13 stays with AVX2 by default. With that the same steps take 14.5 and 146 µs.
void tune_process(char** arguments) {
  bool changed = false;
  if (has_avx512()) {
    changed |= set_if_unset("OPENBLAS_CORETYPE", "SkylakeX");
    changed |= set_if_unset("ATEN_CPU_CAPABILITY", "avx512");
  } else if (__builtin_cpu_supports("avx2")) {
    changed |= set_if_unset("OPENBLAS_CORETYPE", "Haswell");
  }
  if (changed) execv("/proc/self/exe", arguments);  // returns only on failure; then it runs untuned
}

}  // namespace elastane::libtorch
