// Tests of elastane/core/math/isa.cpp.
#include <gtest/gtest.h>

#include <string>

#include "elastane/core/math/kernels.h"

namespace elastane {
namespace {

TEST(InstructionSets, AreKnownByName) {
  EXPECT_EQ(parse_isa("automatic").value(), Isa::automatic);
  for (const Isa isa : kEachIsa) EXPECT_EQ(parse_isa(name(isa)).value(), isa);
  const auto unknown = parse_isa("abacus");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("abacus"), std::string::npos);
  EXPECT_NE(unknown.error().find("sse4, avx2, avx512, neon or portable"), std::string::npos);
}

TEST(InstructionSets, AutomaticIsTheBestThatThisMachineHas) {
  Isa best = Isa::automatic;
  for (const Isa isa : kEachIsa) {
    if (const auto found = kernels(isa)) {
      EXPECT_EQ((*found)->isa, isa);
      best = isa;
    }
  }
  EXPECT_EQ(kernels().value()->isa, best);
}

}  // namespace
}  // namespace elastane
