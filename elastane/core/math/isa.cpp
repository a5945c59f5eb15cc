#include <array>
#include <string>

#include "elastane/core/math/int8_product.h"
#include "elastane/core/math/kernels.h"
#include "hwy/targets.h"

namespace elastane {
namespace {
constexpr std::array<std::string_view, 6> kNames = {"automatic", "sse4", "avx2", "avx512", "neon", "portable"};
}  // namespace

std::string_view name(Isa isa) { return kNames[static_cast<std::size_t>(isa)]; }

Result<Isa> parse_isa(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (text == kNames[i]) return static_cast<Isa>(i);
  }
  return Error{"[isa] expected automatic, sse4, avx2, avx512, neon or portable, found " + std::string(text)};
}

Result<const Kernels*> kernels(Isa isa) {
  const std::int64_t supported = hwy::SupportedTargets();
  machine_int8_product.store(find_machine_int8_product(), std::memory_order_relaxed);
  for (const CompiledKernels& compiled : compiled_kernels()) {
    const Kernels& table = compiled.table();
    if (isa != Isa::automatic && table.isa != isa) continue;
    if ((supported & compiled.target) != 0) return &table;
  }
  return Error{"[isa] this machine, or this build, has no " + std::string(isa == Isa::automatic ? "sse4" : name(isa)) +
               "; choose another one, or automatic"};
}

}  // namespace elastane
