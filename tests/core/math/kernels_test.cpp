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
  Isa before = Isa::automatic;
  bool first = true;
  for (const CompiledKernels& compiled : compiled_kernels()) {
    const Isa isa = compiled.table().isa;
    EXPECT_TRUE(first || isa < before) << name(isa);
    before = isa;
    first = false;
  }
  const Isa least = compiled_kernels().size() > 1 ? Isa::sse4 : before;  // only x86 has several
  EXPECT_EQ(before, least) << "the least that every build holds";
  EXPECT_NE(before, Isa::automatic);
}

}  // namespace
}  // namespace elastane
