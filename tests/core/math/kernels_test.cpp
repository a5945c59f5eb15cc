// Tests of elastane/core/math/kernels.cpp: a table for every instruction set. What is in it is tested beside its
// source.
#include "elastane/core/math/kernels.h"

#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

// a new kernel needs a twin and a test
static_assert(sizeof(Kernels) == 29 * sizeof(void*));

INSTANTIATE_TEST_SUITE_P(Isa, KernelsOf, kEveryIsa, isa_name);

TEST(InstructionSets, AreKnownByName) {
  for (const Isa isa : {Isa::automatic, Isa::sse4, Isa::avx2, Isa::avx512}) {
    EXPECT_EQ(parse_isa(name(isa)).value(), isa);
  }
  const auto unknown = parse_isa("neon");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("neon"), std::string::npos);
  EXPECT_NE(unknown.error().find("sse4, avx2 or avx512"), std::string::npos);
}

TEST(InstructionSets, AutomaticIsTheBestThatThisMachineHas) {
  Isa best = Isa::automatic;
  for (const Isa isa : {Isa::sse4, Isa::avx2, Isa::avx512}) {
    if (const auto found = kernels(isa)) {
      EXPECT_EQ((*found)->isa, isa);
      best = isa;
    }
  }
  EXPECT_EQ(kernels().value()->isa, best);
}

}  // namespace
}  // namespace elastane
