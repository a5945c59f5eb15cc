#include "elastane/core/math/int8_product.h"

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace elastane {

Int8Product find_machine_int8_product() {
#if defined(ELASTANE_INT8_VNNI)
  if (__builtin_cpu_supports("avx512vnni") != 0) return vnni_int8_product;
#elif defined(ELASTANE_INT8_DOT)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) return dot_int8_product;
#endif
  return nullptr;
}

}  // namespace elastane
