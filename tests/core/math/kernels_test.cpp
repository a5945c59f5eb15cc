// Tests of elastane/core/math/kernels.cpp: a table for every instruction set. What is in it is tested beside its
// source.
#include "elastane/core/math/kernels.h"

#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

// a new kernel needs a twin and a test
static_assert(sizeof(Kernels) == 43 * sizeof(void*));

INSTANTIATE_TEST_SUITE_P(Isa, KernelsOf, kEveryIsa, isa_name);

TEST(Kernels, OfThisBuildComeBestFirstAndEachOnce) {
  Isa before = Isa::avx512;
  bool first = true;
  for (const CompiledKernels& compiled : compiled_kernels()) {
    const Isa isa = compiled.table().isa;
    EXPECT_TRUE(first || isa < before) << name(isa);
    before = isa;
    first = false;
  }
  EXPECT_EQ(before, Isa::sse4) << "the least that every build holds";
}

}  // namespace
}  // namespace elastane
